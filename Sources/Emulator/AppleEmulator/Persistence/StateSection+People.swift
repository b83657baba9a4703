import AppleIdentity
import Foundation

extension StateSection {
    /// People, their identities for teams, and their consents.
    static let people: [StateSection] = [
        .value("last_person_id", \.people.lastNumber, .count),
        .list("organizations", KeptOrganization.schema, \.people.keptOrganizations) {
            $1.people.organizations[$0.domain] = $0.organizationID
        },
        .list("people", Person.schema, \.people.all) { try $1.people.restore($0) },
        .list("identities", KeptIdentity.schema, \.people.keptIdentities) {
            try $1.people.restore($0.identity, of: $0.personID, for: $0.teamID)
        },
        .list("consents", KeptConsent.schema, \.people.keptConsents) { stored, state in
            guard state.people[stored.personID]?.consents[stored.group] == nil else {
                throw ControlRefusal.twice("client_id")
            }
            _ = state.people.update(stored.personID) { stored.restore(to: &$0) }
        },
        .list("former_consents", KeptFormerGroup.schema, \.people.keptFormerGroups) {
            stored,
            state in
            _ = state.people.update(stored.personID) { $0.formerGroups.insert(stored.group) }
        },
    ]
}

extension PeopleDirectory {
    fileprivate var keptOrganizations: [KeptOrganization] {
        organizations.sorted { $0.key < $1.key }
            .map { KeptOrganization(domain: $0.key, organizationID: $0.value) }
    }
    fileprivate var keptIdentities: [KeptIdentity] { all.flatMap(KeptIdentity.all) }
    fileprivate var keptConsents: [KeptConsent] { all.flatMap(KeptConsent.all) }
    fileprivate var keptFormerGroups: [KeptFormerGroup] { all.flatMap(KeptFormerGroup.all) }
}

private struct KeptOrganization {
    var domain = ""
    var organizationID = ""

    static let schema = ObjectSchema(
        KeptOrganization(),
        .required("domain", \.domain, .text),
        .required("organization_id", \.organizationID, .text)
    )
}

extension Person {
    /// The account in its seed form, with its password, and its later changes.
    fileprivate static let schema = ObjectSchema(
        Person(
            id: .unknown,
            account: SeedPerson(email: ""),
            organizationID: nil,
            identityLabel: ""
        ),
        .required("id", \.id, .anybody),
        .part(\.account, SeedPerson.schema),
        .optional("forward_to", \.otherForwardingAddress, .text),
        .optional("identity_label", \.ownIdentityLabel, .text)
    )

    private var otherForwardingAddress: String? {
        get { forwardingAddress == account.email ? nil : forwardingAddress }
        set { forwardingAddress = newValue ?? account.email }
    }

    /// People of a seed, and of states without labels, have their email address as the label.
    private var ownIdentityLabel: String? {
        get { identityLabel == account.email ? nil : identityLabel }
        set { identityLabel = newValue ?? account.email }
    }
}

private struct KeptIdentity {
    var personID = PersonID.unknown
    var teamID: TeamID = ""
    var identity = TeamIdentity(userID: "", relayAddress: "")

    static let schema = ObjectSchema(
        KeptIdentity(),
        .required("person_id", \.personID, .person),
        .required("team_id", \.teamID, .team),
        .required("user", \.identity.userID, .identifier),
        .required("relay_email", \.identity.relayAddress, .text)
    )

    static func all(of person: Person) -> [KeptIdentity] {
        person.identities.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { KeptIdentity(personID: person.id, teamID: $0, identity: $1) }
    }
}

private struct KeptConsent {
    var personID = PersonID.unknown
    var group: ClientID = ""
    var consent = Consent()
    var forwards = true
    var isTransferred = false

    static let schema = ObjectSchema(
        KeptConsent(),
        .required("person_id", \.personID, .person),
        .required("client_id", \.group, .app),
        .required("first_client_id", \.consent.clientID, .client),
        .required("email", \.consent.email, .choice),
        .optional("shared_email", \.consent.sharedEmail, .text),
        .optional("shared_name", \.consent.sharedName, .object(.personName)),
        .required("granted_at", \.consent.grantedAt, .time),
        .required("used_at", \.consent.usedAt, .time),
        .usual("forwarding", \.forwards, .boolean) { !$0 },
        .usual("transferred", \.isTransferred, .boolean) { $0 }
    )

    static func all(of person: Person) -> [KeptConsent] {
        person.consents.sorted { $0.key.rawValue < $1.key.rawValue }.map { group, consent in
            KeptConsent(
                personID: person.id,
                group: group,
                consent: consent,
                forwards: !person.groupsWithoutForwarding.contains(group),
                isTransferred: person.transferredGroups.contains(group)
            )
        }
    }

    func restore(to person: inout Person) {
        person.consents[group] = consent
        if !forwards { person.groupsWithoutForwarding.insert(group) }
        if isTransferred { person.transferredGroups.insert(group) }
    }
}

private struct KeptFormerGroup {
    var personID = PersonID.unknown
    var group: ClientID = ""

    static let schema = ObjectSchema(
        KeptFormerGroup(),
        .required("person_id", \.personID, .person),
        .required("client_id", \.group, .app)
    )

    static func all(of person: Person) -> [KeptFormerGroup] {
        person.formerGroups.sorted { $0.rawValue < $1.rawValue }
            .map { KeptFormerGroup(personID: person.id, group: $0) }
    }
}
