import AppleEmulator

enum PageText {
    /// What the hint at the form to sign in names.
    static let password = ["password": SeedPerson.standardPassword]

    static func initial(of name: String) -> String {
        name.first.map { String($0).uppercased() } ?? ""
    }

    /// A person by their name, or by the address when the account has none.
    static func person(_ name: String, email: String) -> [String: Any] {
        let shown = name.isEmpty ? email : name
        return [
            "personName": shown, "hasPersonName": !name.isEmpty, "email": email,
            "personInitial": initial(of: shown),
        ]
    }

    /// The form that asks for address and password.
    static func signIn(_ email: String, _ knownEmails: [String]) -> [String: Any] {
        [
            "email": email, "isEmailMissing": email.isEmpty,
            "hasKnownEmails": !knownEmails.isEmpty, "knownEmails": knownEmails,
        ]
    }
}
