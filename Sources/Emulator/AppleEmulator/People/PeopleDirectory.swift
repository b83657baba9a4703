import AppleIdentity
import Foundation

struct PeopleDirectory {
    static let maximumPersonCount = 100_000

    private var people: [PersonID: Person] = [:]
    private var order: [PersonID] = []
    private var addresses: [String: PersonID] = [:]
    private var userIDs: [UserID: (teamID: TeamID, personID: PersonID)] = [:]
    private var relayAddresses: [String: (teamID: TeamID, personID: PersonID)] = [:]
    var organizations: [String: String] = [:]
    /// The highest ID so far; IDs of deleted people are not used again.
    var lastNumber = 0

    var all: [Person] { order.compactMap { people[$0] } }

    /// The people who were added first.
    func first(_ maximumCount: Int) -> [Person] {
        order.prefix(maximumCount).compactMap { people[$0] }
    }

    var count: Int { people.count }

    subscript(id: PersonID) -> Person? { people[id] }

    /// The person with this primary or other email address, compared case-insensitively.
    func person(email: String) -> Person? { addresses[Self.key(email)].flatMap { people[$0] } }

    func person(userID: UserID, teamID: TeamID) -> Person? {
        guard let entry = userIDs[userID], entry.teamID == teamID else { return nil }
        return people[entry.personID]
    }

    func person(relayAddress: String) -> (person: Person, teamID: TeamID)? {
        guard let entry = relayAddresses[Self.key(relayAddress)],
            let person = people[entry.personID]
        else { return nil }
        return (person, entry.teamID)
    }

    func require(_ email: String) throws(ControlRefusal) -> Person {
        guard let person = person(email: email) else {
            throw .notFound("email", "no user has the email address \(email.prefix(254))")
        }
        return person
    }

    mutating func add(
        _ account: SeedPerson,
        isSeeded: Bool = false
    ) throws(ControlRefusal) -> (person: Person, isNew: Bool) {
        for address in [account.email] + account.otherEmails {
            guard let other = person(email: address) else { continue }
            guard other.account == account else {
                throw .conflict("email", "\(address) already exists with other values")
            }
            return (other, false)
        }
        try checkIdentities(of: account)
        guard people.count < Self.maximumPersonCount else {
            throw .full("email", "\(Self.maximumPersonCount) people")
        }
        lastNumber += 1
        let person = Person(
            id: PersonID(number: lastNumber),
            account: account,
            organizationID: account.isManaged
                ? account.organizationID ?? organizationID(of: account.email) : nil,
            identityLabel: isSeeded ? account.email : "\(lastNumber)|\(account.email)"
        )
        insert(person)
        return (person, true)
    }

    /// Refuses a second identity for a team, and identifiers that are in the seed twice or already used.
    private func checkIdentities(of account: SeedPerson) throws(ControlRefusal) {
        guard !account.identities.isEmpty else { return }
        let seeded = people.values.flatMap(\.account.identities).flatMap(\.names)
        let names = account.identities.map(\.teamID.rawValue) + account.identities.flatMap(\.names)
        var taken = Set(seeded)
        for name in names {
            let isUsed = userIDs[UserID(name)] != nil || relayAddresses[name] != nil
            guard !isUsed, taken.insert(name).inserted else {
                throw .conflict("teams", "\(name) is there twice, or belongs to another person")
            }
        }
    }

    /// Removes the people's identities for a team.
    mutating func forget(_ teamID: TeamID) {
        for person in all where person.identities[teamID] != nil {
            people[person.id]?.identities[teamID] = nil
        }
        userIDs = userIDs.filter { $0.value.teamID != teamID }
        relayAddresses = relayAddresses.filter { $0.value.teamID != teamID }
    }

    private mutating func insert(_ person: Person) {
        people[person.id] = person
        order.append(person.id)
        for address in [person.account.email] + person.account.otherEmails {
            addresses[Self.key(address)] = person.id
        }
    }

    /// Changes a person's account, unless an email address belongs to another person.
    mutating func change(_ id: PersonID, to account: SeedPerson) throws(ControlRefusal) {
        guard var person = people[id] else { return }
        for address in [account.email] + account.otherEmails {
            guard let owner = addresses[Self.key(address)], owner != id else { continue }
            throw .conflict(
                address == account.email ? "email" : "other_emails",
                "\(address) belongs to another person"
            )
        }
        person.account = account
        if !([account.email] + account.addresses).contains(person.forwardingAddress) {
            person.forwardingAddress = account.email
        }
        addresses = addresses.filter { $0.value != id }
        people[id] = person
        for address in [account.email] + account.otherEmails { addresses[Self.key(address)] = id }
    }

    mutating func update<Result>(_ id: PersonID, _ change: (inout Person) -> Result) -> Result? {
        guard var person = people[id] else { return nil }
        let result = change(&person)
        people[id] = person
        for (teamID, identity) in person.identities where userIDs[identity.userID] == nil {
            userIDs[identity.userID] = (teamID, id)
            relayAddresses[Self.key(identity.relayAddress)] = (teamID, id)
        }
        return result
    }

    mutating func remove(_ id: PersonID) {
        people[id] = nil
        order.removeAll { $0 == id }
        addresses = addresses.filter { $0.value != id }
        userIDs = userIDs.filter { $0.value.personID != id }
        relayAddresses = relayAddresses.filter { $0.value.personID != id }
    }

    /// The organization of a domain, the same for all its accounts.
    private mutating func organizationID(of email: String) -> String {
        let domain = email.split(separator: "@").last.map { $0.lowercased() } ?? ""
        if let known = organizations[domain] { return known }
        let identifier = UUID().uuidString.lowercased()
        organizations[domain] = identifier
        return identifier
    }

    private static func key(_ email: String) -> String { email.lowercased() }
}

extension PeopleDirectory {
    /// Restores a person with their ID.
    mutating func restore(_ person: Person) throws(ControlRefusal) {
        let account = person.account
        guard people[person.id] == nil else { throw .wrong("id", "belongs to another person") }
        guard (1...max(lastNumber, 1)).contains(person.id.number) else {
            throw .wrong("id", "must be from 1 to last_person_id")
        }
        for address in [account.email] + account.otherEmails
        where self.person(email: address) != nil {
            throw .wrong("email", "belongs to another person")
        }
        guard ([account.email] + account.addresses).contains(person.forwardingAddress) else {
            throw .wrong("forward_to", "is not an email address of this account")
        }
        var person = person
        person.organizationID =
            account.isManaged ? account.organizationID ?? organizationID(of: account.email) : nil
        insert(person)
    }

    mutating func restore(
        _ identity: TeamIdentity,
        of id: PersonID,
        for teamID: TeamID
    ) throws(ControlRefusal) {
        guard userIDs[identity.userID] == nil else { throw .twice("user") }
        guard person(relayAddress: identity.relayAddress) == nil else {
            throw .twice("relay_email")
        }
        guard people[id]?.identities[teamID] == nil else { throw .twice("team_id") }
        _ = update(id) { $0.identities[teamID] = identity }
    }
}
