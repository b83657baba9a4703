import AppleEmulator
import HTMLPages

enum TemplateValues {
    /// The password in the hint of the sign-in form.
    static let password = ["password": SeedPerson.standardPassword]

    static func initial(of name: String) -> String {
        name.first.map { String($0).uppercased() } ?? ""
    }

    /// A person by name, or by email address if the account has no name.
    static func person(_ name: String, email: String) -> [String: Any] {
        let shown = name.isEmpty ? email : name
        return [
            "personName": shown, "hasPersonName": !name.isEmpty, "email": email,
            "personInitial": initial(of: shown),
        ]
    }

    /// The values for the form with email address and password.
    static func signIn(
        _ email: String,
        _ knownPeople: [SheetPage.Account],
        _ words: PageStrings
    ) -> [String: Any] {
        let hasButtons = knownPeople.contains { !$0.action.isEmpty }
        return [
            "email": email, "isEmailMissing": email.isEmpty,
            // Focus on the form would scroll the buttons out of view.
            "focusesEmail": email.isEmpty && !hasButtons,
            "hasKnownPeople": !knownPeople.isEmpty, "hasPersonButtons": hasButtons,
            "passwordHint": pieces(of: "passwordHint", password, words),
            "knownPeople": knownPeople.map { account in
                let person = person(account.personName, email: account.email)
                let shown = account.personName.isEmpty ? account.email : account.personName
                return person.merging([
                    "action": account.action,
                    "continueAs": pieces(of: "continueAs", ["person": shown], words),
                ]) { own, _ in own }
            },
        ]
    }

    /// A sentence in pieces; the template isolates the values, which keep their own direction.
    static func pieces(
        of word: String,
        _ values: [String: String],
        _ words: PageStrings
    ) -> [[String: Any]] {
        words.pieces(of: word, values).map { ["text": $0.text, "isValue": $0.isValue] }
    }

    private static let iconColorCount = 8

    /// An app's icon: the sample app's drawing, or else the initial of the app's name, in a color
    /// derived from the name.
    static func icon(of appName: String) -> [String: Any] {
        let sum = appName.unicodeScalars.reduce(0) { ($0 &* 31 &+ Int($1.value)) % 65_521 }
        var icon: [String: Any] = [
            "initial": initial(of: appName), "iconColor": sum % iconColorCount,
        ]
        if appName == Seed.demoAppName { icon["appMark"] = SampleAppMark.svg }
        return icon
    }
}
