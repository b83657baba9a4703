import AppleIdentity
import Foundation

/// A person with an Apple Account, and their changes since the seed.
struct Person {
    var id: PersonID
    var account: SeedPerson
    var organizationID: String?
    /// The label from which an `identifierKey` derives the person's identifiers.
    ///
    /// For a person of the seed it is the email address. For others the ID is added, because a new
    /// account with the email address of a deleted one is another person.
    var identityLabel: String
    var identities: [TeamID: TeamIdentity] = [:]
    var consents: [ClientID: Consent] = [:]
    /// The app groups that the person stopped using.
    var formerGroups: Set<ClientID> = []
    var groupsWithoutForwarding: Set<ClientID> = []
    /// The account's email address to which mail of the relay addresses is forwarded.
    var forwardingAddress: String

    /// The app groups transferred to another team since the person's last sign-in.
    var transferredGroups: Set<ClientID> = []

    init(id: PersonID, account: SeedPerson, organizationID: String?, identityLabel: String) {
        (self.id, self.account, self.organizationID) = (id, account, organizationID)
        self.identityLabel = identityLabel
        forwardingAddress = account.email
    }

    var name: PersonName {
        PersonName(givenName: account.givenName, familyName: account.familyName)
    }

    /// The person's identity for a team, which stays the same after they stop using its apps.
    mutating func identity(
        for teamID: TeamID,
        identifierKey: Data?,
        relayDomain: EmulatorSwitches.RelayDomain
    ) -> TeamIdentity {
        if let identity = identities[teamID] { return identity }
        let label = "\(teamID)|\(identityLabel)"
        var identity = TeamIdentity(
            block: block(identifierKey: identifierKey),
            isManaged: account.isManaged,
            relayDomain: relayDomain,
            generator: IdentifierGenerator(key: identifierKey, label: label)
        )
        if let own = account.identities.first(where: { $0.teamID == teamID }) {
            identity.userID = own.userID ?? identity.userID
            identity.relayAddress = own.relayAddress ?? identity.relayAddress
        }
        identities[teamID] = identity
        return identity
    }

    /// The first block of the person's identifiers, the same for all teams.
    func block(identifierKey: Data?) -> String {
        let known = identities.min { $0.key.rawValue < $1.key.rawValue }?.value.userID.rawValue
        return known.map { String($0.prefix { $0 != "." }) }
            ?? TeamIdentity.block(
                IdentifierGenerator(key: identifierKey, label: "block|\(identityLabel)")
            )
    }

    mutating func stopUsing(group: ClientID) {
        guard consents.removeValue(forKey: group) != nil else { return }
        formerGroups.insert(group)
        groupsWithoutForwarding.remove(group)
        transferredGroups.remove(group)
    }

    func credentialState(group: ClientID) -> CredentialState {
        if consents[group] != nil {
            return transferredGroups.contains(group) ? .transferred : .authorized
        }
        return formerGroups.contains(group) ? .revoked : .notFound
    }

    var object: JSONObject {
        var object = account.answer
        object["forward_to"] = .string(forwardingAddress)
        object["organization_id"] = organizationID.map { .string($0) }
        object["teams"] = .array(
            identities.sorted { $0.key.rawValue < $1.key.rawValue }.map { team, identity in
                [
                    "team_id": .string(team.rawValue), "user": .string(identity.userID.rawValue),
                    "relay_email": .string(identity.relayAddress),
                ]
            }
        )
        object["consents"] = .array(
            consents.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                Self.describe($0, $1, forwards: !groupsWithoutForwarding.contains($0))
            }
        )
        return object
    }

    private static func describe(_ group: ClientID, _ consent: Consent, forwards: Bool) -> JSONValue
    {
        [
            "client_id": .string(group.rawValue),
            "first_client_id": .string(consent.clientID.rawValue),
            "email": .string(consent.email.rawValue),
            "shared_email": consent.sharedEmail.map { .string($0) } ?? .null,
            "forwarding": .boolean(forwards),
            "granted_at": .string(consent.grantedAt.formatted(.iso8601)),
        ]
    }
}

/// The ID of a person; a new account with a deleted email address has a different one.
struct PersonID: Hashable {
    let number: Int

    /// The value until the person is known.
    static let unknown = PersonID(number: 0)
}

/// A person's consent at the first authorization for an app group.
struct Consent: Hashable {
    enum Email: String, CaseIterable { case share, hide, none }

    /// The client of the first authorization.
    var clientID: ClientID = ""
    /// The kind of email address that the app receives; none if it did not request `email`.
    var email = Email.none
    /// The shared email address; nil if it is hidden.
    var sharedEmail: String?
    /// The shared name; nil if the app did not request it.
    var sharedName: PersonName?
    var grantedAt: Date = .distantPast
    /// The time of the last sign-in to an app of the group.
    var usedAt: Date = .distantPast
}

/// The state that a device reports for a person and an app.
package enum CredentialState: String, Sendable {
    case revoked, authorized
    case notFound = "not_found"
    case transferred

    /// The number that Apple's systems give the state.
    ///
    /// Source: [Credential state](https://developer.apple.com/documentation/authenticationservices/asauthorizationappleidprovider/credentialstate)
    /// has the names; the numbers were seen in libraries for apps.
    package var number: Int {
        switch self {
        case .revoked: 0
        case .authorized: 1
        case .notFound: 2
        case .transferred: 3
        }
    }
}
