import AppleIdentity

/// One page of the Apple Account's settings: what it shows, not how it looks.
package struct AccountPage: Sendable {
    /// What it shows.
    package enum Content: Sendable {
        /// Asks for address and password.
        case signIn(transaction: String, email: String, knownEmails: [String])
        /// Asks for the six digits of a trusted device.
        case twoFactor(transaction: String, email: String, digits: String)
        /// Who is signed in, and the apps that use the account.
        case overview(AccountHolder, apps: [AccountApp])
        /// What one group of apps knows.
        case app(AccountApp, of: AccountHolder)
        /// Asks whether to stop using a group of apps.
        case stopUsing(AccountApp)
        /// Asks whether to delete the account.
        case delete(AccountHolder, apps: [AccountApp])
        /// Says why something is not done.
        case failure(PageProblem, reason: String)
    }

    package var content: Content
    /// What the forms of a session carry, so that nobody else can write one.
    package var token = ""
    /// What was done last.
    package var notice: AccountNotice?
    /// What was wrong with the last answer.
    package var problem: PageProblem?

    /// The fields that its forms send besides what a person types.
    var hiddenFields: [(name: String, value: String)] {
        switch content {
        case .signIn(let transaction, _, _), .twoFactor(let transaction, _, _):
            [("transaction", transaction)]
        case .app(let app, _), .stopUsing(let app):
            [("token", token), ("client_id", app.group.rawValue)]
        case .overview, .delete: [("token", token)]
        case .failure: []
        }
    }
}

/// Whose account it is.
package struct AccountHolder: Hashable, Sendable {
    /// Their name; empty when the account has none.
    package let name: String
    package let email: String
    /// Every address of the account.
    package let addresses: [String]
    /// The one of them that hidden mail goes to.
    package let forwardingAddress: String
}

extension AccountHolder {
    init(_ person: Person) {
        name = person.name.displayName
        email = person.account.email
        addresses = person.account.addresses
        forwardingAddress = person.forwardingAddress
    }
}

/// What was done last, as the address after it names it; each has a text in every language.
package enum AccountNotice: String, CaseIterable, Sendable {
    case stopped
    case forwardingOn = "forwarding-on"
    case forwardingOff = "forwarding-off"
    case forwardTo = "forward-to"
    case signedOut = "signed-out"
    case deleted

    /// The parameter that carries it.
    static let parameter = "done"
}
