import AppleEmulator

enum PageText {
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
    static func signIn(_ email: String, _ knownEmails: [String]) -> [String: Any] {
        [
            "email": email, "isEmailMissing": email.isEmpty,
            "hasKnownEmails": !knownEmails.isEmpty, "knownEmails": knownEmails,
        ]
    }
}
