/// The page that asks for the six digits which a trusted device shows.
package struct TwoFactorPage: Sendable {
    /// The authorization this page belongs to.
    package var transaction: String
    /// The name of the app that asks.
    package var appName: String
    /// The address of the account that signs in.
    package var email: String
    /// The digits, shown in a box that stands for the trusted device.
    package var code: String
    /// What was wrong with the last answer, as a sentence.
    package var error: String?

    package init(
        transaction: String,
        appName: String,
        email: String,
        code: String,
        error: String? = nil
    ) {
        self.transaction = transaction
        self.appName = appName
        self.email = email
        self.code = code
        self.error = error
    }
}
