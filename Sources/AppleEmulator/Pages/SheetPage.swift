/// One page of the sheet that stands for Apple's: what it asks, not how it looks.
package struct SheetPage: Sendable {
    /// What it asks.
    package enum Step: Sendable {
        /// Who of those signed in to the browser it shall be, the latest first.
        case chooser([Account])
        /// The account's address and password; the people this emulator knows are a hint.
        case signIn(email: String, knownEmails: [String])
        /// The six digits of a trusted device, which the page plays.
        case twoFactor(email: String, digits: String)
        /// Consent, the first time a person meets an app.
        case consent(ConsentPage)
        /// Whether a person who has used the app before goes on.
        case returning(Account)
    }

    /// A person as the sheet names them.
    package struct Account: Hashable, Sendable {
        /// Their name; empty when the account has none.
        package var personName: String
        /// The address of the account.
        package var email: String
        /// The action of the button that chooses them.
        package var action = ""
    }

    /// The transaction that its form carries on.
    package var transaction: String
    /// The name of the app that asks.
    package var appName: String
    package var step: Step
    /// What was wrong with the last answer.
    package var problem: PageProblem?
}
