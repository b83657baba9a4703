import Accounts
import AppleIdentity
import NIOHTTP1
import SignInWithApple

/// A user whose app moves to another team, from the database or a file.
struct TransferredPerson: Hashable, Sendable {
    /// The user as the sending team knows them.
    let person: ApplePerson
    /// The client with which they signed in last; nil in a file.
    var clientID: ClientID?
    /// The transfer identifier, by which the recipient finds them.
    let identifier: UserID?
    /// The recipient.
    let team: TeamID?

    func identifier(for team: TeamID) -> UserID? { self.team == team ? identifier : nil }

    static func all(_ client: AdministrationClient) async throws -> [TransferredPerson] {
        var people: [TransferredPerson] = []
        var after: String?
        repeat {
            let query = after.map { ["after": $0] } ?? [:]
            let page = try await client.send(.GET, ["transfers"], query: query)
            people += page.objects("people").compactMap(TransferredPerson.init(stored:))
            after = page["next"]?.stringValue
        } while after != nil
        return people
    }

    /// The users of a file who are in the database, each with the client from there.
    static func found(
        _ people: [TransferredPerson],
        in known: [TransferredPerson]
    ) -> [TransferredPerson] {
        let byPerson = Dictionary(known.map { ($0.person, $0) }) { first, _ in first }
        return people.compactMap { person in
            guard let known = byPerson[person.person] else { return nil }
            var person = person
            person.clientID = known.clientID
            return person
        }
    }

    /// Stores the transfer identifier in the database.
    func begin(
        _ identifier: UserID,
        _ team: TeamID,
        _ client: AdministrationClient
    ) async throws -> AppleTransferOutcome? {
        try await Self.send(
            ["transfers"],
            [
                "issuer": .string(person.issuer), "user": .string(person.user.rawValue),
                "identifier": .string(identifier.rawValue), "team": .string(team.rawValue),
            ],
            client
        )
    }

    /// Sets the new identifier and relay address of the account.
    func arrive(
        _ identifier: UserID,
        _ migrated: MigratedUser,
        _ client: AdministrationClient
    ) async throws -> AppleTransferOutcome? {
        var body: JSONObject = [
            "issuer": .string(person.issuer), "identifier": .string(identifier.rawValue),
            "user": .string(migrated.user.rawValue),
        ]
        if migrated.isPrivateEmail { body["email"] = migrated.email.map { .string($0) } }
        return try await Self.send(["transfers", "arrivals"], body, client)
    }

    private static func send(
        _ path: [String],
        _ body: JSONObject,
        _ client: AdministrationClient
    ) async throws -> AppleTransferOutcome? {
        let answer = try await client.send(.POST, path, query: [:], body)
        return (answer["outcome"]?.stringValue).flatMap { AppleTransferOutcome(rawValue: $0) }
    }
}

extension TransferredPerson {
    private init?(stored object: JSONObject) {
        guard let issuer = object["issuer"]?.stringValue, let user = object["user"]?.stringValue
        else { return nil }
        let transfer = object["transfer"]?.objectValue
        self.init(
            person: ApplePerson(issuer: issuer, user: UserID(user)),
            identifier: (transfer?["identifier"]?.stringValue).map { UserID($0) },
            team: (transfer?["team"]?.stringValue).map { TeamID($0) }
        )
        clientID = (object["clientId"]?.stringValue).map { ClientID($0) }
    }
}
