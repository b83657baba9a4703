import AppleIdentity
import Foundation
import HTTPTypes

/// One page of the Apple Account's settings: what it shows, not how it looks.
package struct AccountPage: Sendable {
    package enum Content: Sendable {
        case signIn(transaction: String, email: String, knownEmails: [String])
        case twoFactor(transaction: String, email: String, digits: String)
        /// Who is signed in, and the apps that use the account.
        case overview(AccountHolder, apps: [AccountApp])
        /// What one group of apps knows.
        case app(AccountApp, of: AccountHolder)
        case stopUsing(AccountApp)
        case delete(AccountHolder, apps: [AccountApp])
        case failure(PageProblem, reason: String)
    }

    package var content: Content
    /// What the forms of a session carry, so that nobody else can write one.
    package var token = ""
    package var notice: AccountNotice?
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

package struct AccountHolder: Hashable, Sendable {
    /// Their name; empty when the account has none.
    package let name: String
    package let email: String
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

    static let parameter = "done"
}

/// The paths of the page that stands for the settings of an Apple Account.
package enum AccountRoute: String, CaseIterable, Sendable {
    /// Who is signed in and which apps use the account; without a session the form to sign in.
    case overview = "/account"
    case signIn = "/account/sign-in"
    case twoFactor = "/account/two-factor"
    case signOut = "/account/sign-out"
    /// What one group of apps knows about the person.
    case app = "/account/app"
    case stopUsing = "/account/stop-using"
    case forwarding = "/account/forwarding"
    case forwardTo = "/account/forward-to"
    case delete = "/account/delete"

    /// How it can be asked: for its page, with a form, or either way.
    private var methods: [HTTPRequest.Method] {
        switch self {
        case .overview, .app: [.get]
        case .stopUsing, .delete: [.get, .post]
        case .signIn, .twoFactor, .signOut, .forwarding, .forwardTo: [.post]
        }
    }

    func answers(_ method: HTTPRequest.Method) -> Bool {
        methods.contains(method == .head ? .get : method)
    }

    var allowed: String { methods.map(\.rawValue).joined(separator: ", ") }

    package func address(of group: String) -> String {
        rawValue + "?" + FormFields.encode([("client_id", group)])
    }
}

/// A group of apps as the person who uses it sees it.
package struct AccountApp: Hashable, Sendable {
    /// What the group's developer knows of the person's address.
    package enum Email: Hashable, Sendable {
        case notShared
        case shared(String)
        /// The relay address is nil while the app's new team has not met the person.
        case hidden(relayAddress: String?, isForwarded: Bool)
    }

    /// The primary app.
    package let group: ClientID
    package let name: String
    package let developer: String
    /// The other apps of the group, and its Services IDs where they are called otherwise.
    package let otherNames: [String]
    package let grantedAt: Date
    package let usedAt: Date
    /// The name the person let the app know; nil when it did not ask.
    package let sharedName: String?
    package let email: Email
}

extension AccountApp {
    init?(_ group: ClientID, of person: Person, in registry: ClientRegistry) {
        guard let consent = person.consents[group], let client = registry.client(group) else {
            return nil
        }
        self.group = group
        name = client.name
        developer = registry.teams[client.teamID]?.name ?? client.teamID.rawValue
        otherNames = registry.otherNames(inGroupOf: client)
        grantedAt = consent.grantedAt
        usedAt = consent.usedAt
        sharedName = consent.sharedName?.displayName
        email = Self.email(consent, group: group, of: person, teamID: client.teamID)
    }

    private static func email(
        _ consent: Consent,
        group: ClientID,
        of person: Person,
        teamID: TeamID
    ) -> Email {
        switch consent.email {
        case .none: .notShared
        case .share: .shared(consent.sharedEmail ?? person.account.email)
        case .hide:
            .hidden(
                relayAddress: person.identities[teamID]?.relayAddress,
                isForwarded: !person.groupsWithoutForwarding.contains(group)
            )
        }
    }

    /// All that use a person's account, the one used last first.
    static func all(of person: Person, in registry: ClientRegistry) -> [AccountApp] {
        person.consents.keys.compactMap { AccountApp($0, of: person, in: registry) }
            .sorted { ($1.usedAt, $0.group.rawValue) < ($0.usedAt, $1.group.rawValue) }
    }
}

extension ClientRegistry {
    /// What the clients grouped under one are called, without its own name.
    fileprivate func otherNames(inGroupOf primary: RegisteredClient) -> [String] {
        let apps = apps.values.filter { $0.primaryClientID == primary.group }.map(\.clientID)
        let services = services.values.filter { $0.primaryClientID == primary.group }
            .map(\.clientID)
        let names = (apps + services).compactMap { client($0)?.name }
        return Set(names).subtracting([primary.name]).sorted()
    }
}
