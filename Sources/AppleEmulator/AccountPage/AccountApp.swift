import AppleIdentity
import Foundation

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
