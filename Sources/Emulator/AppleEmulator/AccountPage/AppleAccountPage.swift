import AppleIdentity
import Foundation
import HTTPTypes

/// The content of one page of the Apple Account's settings, without its layout.
package struct AppleAccountPage: Sendable {
    package enum Content: Sendable {
        case signIn(transaction: String, email: String, knownPeople: [SheetPage.Account])
        case twoFactor(transaction: String, email: String, digits: String)
        /// The signed-in person, and the apps that use the account.
        case overview(AccountHolder, apps: [AccountApp])
        /// The data that one group of apps has.
        case app(AccountApp, of: AccountHolder)
        case stopUsing(AccountApp)
        case delete(AccountHolder, apps: [AccountApp])
        case failure(PageProblem, reason: String)
    }

    package var content: Content
    /// The secret that a session's forms carry, which protects against forged forms.
    package var token = ""
    package var notice: AccountNotice?
    package var problem: PageProblem?

    /// The fields that its forms send in addition to the typed ones.
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
    package let name: String
    package let email: String
    package let addresses: [String]
    /// The email address to which mail of the private relay addresses is forwarded.
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

/// The last action, named in the next page's URL; it has a text in each language.
package enum AccountNotice: String, CaseIterable, Sendable {
    case stopped
    case forwardingOn = "forwarding-on"
    case forwardingOff = "forwarding-off"
    case forwardTo = "forward-to"
    case signedOut = "signed-out"
    case deleted

    static let parameter = "done"
}

/// The paths of the account page, which emulates the settings of an Apple Account.
package enum AccountRoute: String, CaseIterable, Sendable {
    /// The signed-in person and the apps that use the account, or the sign-in form.
    case overview = "/account"
    case signIn = "/account/sign-in"
    case twoFactor = "/account/two-factor"
    case signOut = "/account/sign-out"
    /// The data that one group of apps has about the person.
    case app = "/account/app"
    case stopUsing = "/account/stop-using"
    case forwarding = "/account/forwarding"
    case forwardTo = "/account/forward-to"
    case delete = "/account/delete"

    /// The methods of the route: GET for its page, POST for its form.
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
        rawValue + "?" + FormCoding.encode([("client_id", group)])
    }
}

/// A group of apps as its user sees it.
package struct AccountApp: Hashable, Sendable {
    /// The email address that the group's developer has.
    package enum Email: Hashable, Sendable {
        case notShared
        case shared(String)
        /// The relay address is nil while the person has no identity for the app's team.
        case hidden(relayAddress: String?, isForwarded: Bool)
    }

    /// The primary app.
    package let group: ClientID
    package let name: String
    package let developer: String
    /// The names of the group's other apps and Services IDs, where they differ.
    package let otherNames: [String]
    package let grantedAt: Date
    package let usedAt: Date
    /// The name that the person shared; nil if the app did not request it.
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

    /// The apps that use a person's account, the most recently used first.
    static func all(of person: Person, in registry: ClientRegistry) -> [AccountApp] {
        person.consents.keys.compactMap { AccountApp($0, of: person, in: registry) }
            .sorted { ($1.usedAt, $0.group.rawValue) < ($0.usedAt, $1.group.rawValue) }
    }
}

extension ClientRegistry {
    /// The names of the clients grouped under one, without its own name.
    fileprivate func otherNames(inGroupOf primary: RegisteredClient) -> [String] {
        let apps = apps.values.filter { $0.primaryClientID == primary.group }.map(\.clientID)
        let services = services.values.filter { $0.primaryClientID == primary.group }
            .map(\.clientID)
        let names = (apps + services).compactMap { client($0)?.name }
        return Set(names).subtracting([primary.name]).sorted()
    }
}
