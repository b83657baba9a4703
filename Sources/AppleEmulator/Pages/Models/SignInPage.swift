/// The page that asks for the account's e-mail address and password.
package struct SignInPage: Sendable {
    /// The authorization this page belongs to.
    package var transaction: String
    /// The name of the app that asks.
    package var appName: String
    /// The address filled in already; empty when none is known.
    package var email: String
    /// What was wrong with the last answer, as a sentence.
    package var error: String?
    /// The people this emulator knows, offered as a hint.
    package var knownEmails: [String]

    package init(
        transaction: String,
        appName: String,
        email: String = "",
        error: String? = nil,
        knownEmails: [String] = []
    ) {
        self.transaction = transaction
        self.appName = appName
        self.email = email
        self.error = error
        self.knownEmails = knownEmails
    }
}
