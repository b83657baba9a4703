/// The page that asks who of the people signed in to a browser it shall be.
package struct ChooserPage: Sendable {
    /// A person to choose.
    package struct Account: Sendable, Hashable {
        /// The action of the button that chooses them.
        package var action: String
        /// Their name; empty when the account has none.
        package var personName: String
        /// The address of the account.
        package var email: String

        package init(action: String, personName: String, email: String) {
            self.action = action
            self.personName = personName
            self.email = email
        }
    }

    /// The authorization this page belongs to.
    package var transaction: String
    /// The name of the app that asks.
    package var appName: String
    /// Everybody who is signed in, the latest first.
    package var accounts: [Account]
    /// What was wrong with the last answer, as a sentence.
    package var error: String?

    package init(
        transaction: String,
        appName: String,
        accounts: [Account],
        error: String? = nil
    ) {
        self.transaction = transaction
        self.appName = appName
        self.accounts = accounts
        self.error = error
    }
}
