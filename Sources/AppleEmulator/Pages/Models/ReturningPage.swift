/// The short sheet for a person who has used the app before.
package struct ReturningPage: Sendable {
    /// The authorization this page belongs to.
    package var transaction: String
    /// The name of the app that asks.
    package var appName: String
    /// The person's name; empty when the account has none.
    package var personName: String
    /// The address of the account.
    package var email: String
    /// What was wrong with the last answer, as a sentence.
    package var error: String?

    package init(
        transaction: String,
        appName: String,
        personName: String,
        email: String,
        error: String? = nil
    ) {
        self.transaction = transaction
        self.appName = appName
        self.personName = personName
        self.email = email
        self.error = error
    }
}
