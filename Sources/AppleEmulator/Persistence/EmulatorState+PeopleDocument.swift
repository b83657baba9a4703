import AppleIdentity

extension EmulatorState {
    func writePeople(to document: inout StateDocument) {
        let people = people.all
        document["last_person_id"] = .integer(self.people.lastNumber)
        document["organizations"] = .array(
            self.people.organizations.sorted { $0.key < $1.key }.map {
                ["domain": .string($0.key), "organization_id": .string($0.value)]
            }
        )
        document["people"] = .array(people.map { .object($0.accountDocument) })
        document["identities"] = .array(people.flatMap(\.identityDocuments))
        document["consents"] = .array(people.flatMap(\.consentDocuments))
        document["former_consents"] = .array(people.flatMap(\.formerDocuments))
    }

    mutating func readPeople(
        _ document: StateDocument,
        _ fields: FieldReader
    ) throws(ControlRefusal) {
        try document.each("organizations") { object throws(ControlRefusal) in
            let fields = try FieldReader(object, known: ["domain", "organization_id"])
            people.organizations[try fields.text("domain")] = try fields.text("organization_id")
        }
        people.lastNumber = try fields.counter("last_person_id")
        try document.each("people") { object throws(ControlRefusal) in
            try people.restore(object)
        }
        var known: Set<String> = []
        try document.each("identities") { object throws(ControlRefusal) in
            try readIdentity(object, known: &known)
        }
        try document.each("consents") { object throws(ControlRefusal) in
            try readConsent(object)
        }
        try document.each("former_consents") { object throws(ControlRefusal) in
            let fields = try FieldReader(object, known: ["person_id", "client_id"])
            let group = try fields.primaryApp("client_id", in: registry)
            _ = people.update(try fields.personID(in: people)) { $0.formerGroups.insert(group) }
        }
    }

    private mutating func readIdentity(
        _ object: JSONObject,
        known: inout Set<String>
    ) throws(ControlRefusal) {
        let fields = try FieldReader(
            object,
            known: ["person_id", "team_id", "user", "relay_email"]
        )
        let teamID = try fields.team("team_id", in: registry)
        let identity = TeamIdentity(
            userID: UserID(try fields.text("user")),
            relayAddress: try fields.mailAddress("relay_email").text
        )
        guard known.insert(identity.userID.rawValue).inserted else { throw .twice("user") }
        guard known.insert(identity.relayAddress.lowercased()).inserted else {
            throw .twice("relay_email")
        }
        let id = try fields.personID(in: people)
        guard people[id]?.identities[teamID] == nil else { throw .twice("team_id") }
        _ = people.update(id) { $0.identities[teamID] = identity }
    }

    private mutating func readConsent(_ object: JSONObject) throws(ControlRefusal) {
        let fields = try FieldReader(
            object,
            known: [
                "person_id", "client_id", "first_client_id", "email", "shared_email",
                "shared_name", "granted_at", "used_at", "forwarding", "transferred",
            ]
        )
        let id = try fields.personID(in: people)
        let group = try fields.primaryApp("client_id", in: registry)
        guard let person = people[id], person.consents[group] == nil else {
            throw .twice("client_id")
        }
        let consent = try Consent(fields, of: person, in: registry)
        let forwards = try fields.boolean("forwarding", default: true)
        let isTransferred = try fields.boolean("transferred", default: false)
        _ = people.update(id) { person in
            person.consents[group] = consent
            if !forwards { person.groupsWithoutForwarding.insert(group) }
            if isTransferred { person.transferredGroups.insert(group) }
        }
    }
}

extension PeopleDirectory {
    fileprivate mutating func restore(
        _ object: JSONObject
    ) throws(ControlRefusal) {
        var account = object
        let rest = try FieldReader(
            account.extract(["id", "forward_to", "identity_label"]),
            known: ["id", "forward_to", "identity_label"]
        )
        let id = PersonID(number: try rest.integer("id", in: 1...Int.max))
        try restore(SeedPerson(account), as: id, identityLabel: rest.opaque("identity_label"))
        guard let text = try rest.optionalText("forward_to") else { return }
        guard let person = self[id],
            text == person.account.email
                || person.account.addresses.contains(text)
        else { throw .wrong("forward_to", "is not an address of this account") }
        _ = update(id) { $0.forwardingAddress = text }
    }
}

extension Person {
    /// The account as a seed has it, password included, and where mail is forwarded to.
    fileprivate var accountDocument: JSONObject {
        var object: JSONObject = ["id": .person(id)]
        object = object.adding(account.object)
        object["password"] = .string(account.password)
        // Left out, it stands for what is usual; the same account must stay the same.
        object["email_verified"] = account.isEmailVerified.map { .boolean($0) }
        object["forward_to"] =
            forwardingAddress == account.email ? nil : .string(forwardingAddress)
        object["identity_label"] =
            identityLabel == account.email ? nil : .string(identityLabel)
        return object
    }

    fileprivate var identityDocuments: [JSONValue] {
        identities.sorted { $0.key.rawValue < $1.key.rawValue }.map { team, identity in
            [
                "person_id": .person(id), "team_id": .string(team.rawValue),
                "user": .string(identity.userID.rawValue),
                "relay_email": .string(identity.relayAddress),
            ]
        }
    }

    fileprivate var consentDocuments: [JSONValue] {
        consents.sorted { $0.key.rawValue < $1.key.rawValue }.map { group, consent in
            var object = consent.document(of: id, group: group)
            if groupsWithoutForwarding.contains(group) { object["forwarding"] = false }
            if transferredGroups.contains(group) { object["transferred"] = true }
            return .object(object)
        }
    }

    fileprivate var formerDocuments: [JSONValue] {
        formerGroups.map(\.rawValue).sorted().map {
            ["person_id": .person(id), "client_id": .string($0)]
        }
    }
}

extension Consent {
    fileprivate func document(of person: PersonID, group: ClientID) -> JSONObject {
        var object: JSONObject = [
            "person_id": .person(person), "client_id": .string(group.rawValue),
            "first_client_id": .string(clientID.rawValue),
            "email": grantsEmail ? (hidesEmail ? "hide" : "share") : "none",
        ]
        object["shared_email"] = sharedEmail.map { .string($0) }
        object["shared_name"] = sharedName?.object
        object["granted_at"] = .time(grantedAt)
        object["used_at"] = .time(usedAt)
        return object
    }

    fileprivate init(
        _ fields: FieldReader,
        of person: Person,
        in registry: ClientRegistry
    ) throws(ControlRefusal) {
        let choice = try fields.text("email")
        guard ["hide", "share", "none"].contains(choice) else {
            throw .wrong("email", "must be \"share\", \"hide\" or \"none\"")
        }
        self.init(
            clientID: try fields.client("first_client_id", in: registry),
            grantsEmail: choice != "none",
            hidesEmail: choice == "hide",
            sharedEmail: try fields.optionalText("shared_email"),
            sharedName: try fields.sharedName(),
            grantedAt: try fields.time("granted_at"),
            usedAt: try fields.time("used_at")
        )
    }
}

extension FieldReader {
    /// A name as it was left on the sheet, which allows more than a seed does.
    fileprivate func sharedName() throws(ControlRefusal) -> PersonName? {
        guard let object = try optionalObject("shared_name") else { return nil }
        let fields = try FieldReader(object, known: ["given_name", "family_name"])
        return PersonName(
            givenName: try fields.opaque("given_name"),
            familyName: try fields.opaque("family_name")
        )
    }
}
