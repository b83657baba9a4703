import AppleIdentity
import Foundation

/// A person with an Apple Account, and what became of them since the seed.
struct Person {
    var id: PersonID
    var account: SeedPerson
    var organizationID: String?
    /// What identifiers are drawn from where a key decides them.
    ///
    /// It is the address of a person of the seed, and has the number of everybody else: whoever
    /// makes an account anew with an address that was deleted is another person.
    var identityLabel: String
    var identities: [TeamID: TeamIdentity] = [:]
    /// What the person agreed to, by app group.
    var consents: [ClientID: Consent] = [:]
    /// The app groups the person stopped using.
    var formerGroups: Set<ClientID> = []
    var groupsWithoutForwarding: Set<ClientID> = []
    /// Where mail to the relay addresses goes: one of the account's.
    var forwardingAddress: String

    /// The app groups that went to another team, and that the person has not signed in to since.
    var transferredGroups: Set<ClientID> = []

    init(id: PersonID, account: SeedPerson, organizationID: String?, identityLabel: String) {
        self.id = id
        self.account = account
        self.organizationID = organizationID
        self.identityLabel = identityLabel
        forwardingAddress = account.email
    }

    var name: PersonName {
        PersonName(givenName: account.givenName, familyName: account.familyName)
    }

    /// How a team knows the person: the same each time, also after they stopped and came back.
    mutating func identity(
        for teamID: TeamID,
        identifierKey: Data?,
        relayDomain: EmulatorSwitches.RelayDomain
    ) -> TeamIdentity {
        if let identity = identities[teamID] { return identity }
        let label = "\(teamID)|\(identityLabel)"
        let identity = TeamIdentity(
            block: block(identifierKey: identifierKey),
            isManaged: account.isManaged,
            relayDomain: relayDomain,
            generator: IdentifierGenerator(key: identifierKey, label: label)
        )
        identities[teamID] = identity
        return identity
    }

    /// The first block of the person's identifiers: that of the teams that know them, if any does.
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

/// A person inside the emulator; an address that was deleted and made again is someone else.
struct PersonID: Hashable {
    let number: Int

    /// Stands where nobody is named yet.
    static let nobody = PersonID(number: 0)
}

/// What a person agreed to when they first met an app group.
struct Consent: Hashable {
    enum Email: String, CaseIterable { case share, hide, none }

    /// The client they met first.
    var clientID: ClientID = ""
    /// Which address the app may know; none when it did not ask for the `email` scope.
    var email = Email.none
    /// The address they chose to share; nil when they hide it.
    var sharedEmail: String?
    /// The name they let the app know; nil when it did not ask for one.
    var sharedName: PersonName?
    var grantedAt: Date = .distantPast
    /// When they last signed in to an app of the group.
    var usedAt: Date = .distantPast
}

/// What a device would be told of a person and an app.
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
