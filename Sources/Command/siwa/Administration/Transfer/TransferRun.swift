import Accounts
import AppleIdentity
import Foundation
import NIOHTTP1
import SignInWithApple

/// An export or import of many users, which stores each of Apple's responses before the next request.
struct TransferRun: Sendable {
    /// The number of failures that are printed one by one.
    private static let maximumToldCount = 100

    /// The team that sends the requests to Apple.
    let team: TeamID
    let apple: AppleSignIn
    /// The client for users whose own client is not in the settings.
    let usualClient: ClientID
    /// Whether this client is used for all users.
    let asksAsUsualClient: Bool
    let rate: Int
    let console: Terminal

    /// Records the run in the audit log, before the first request to Apple.
    func record(
        _ kind: String,
        of count: Int,
        to team: TeamID,
        _ client: AdministrationClient
    ) async throws {
        let body: JSONObject = [
            "kind": .string(kind), "team": .string(team.rawValue), "count": .integer(count),
        ]
        _ = try await client.send(.POST, ["transfers", "runs"], body)
    }

    func export(
        _ people: [TransferredPerson],
        to recipient: TeamID,
        _ client: AdministrationClient
    ) async throws -> [PacedFailure] {
        let byUser = Self.byUser(people) { $0.person.user }
        return try await ask(byUser) { migration, users, keep in
            try await migration.transferIdentifiers(for: users, to: recipient, keep: keep)
        } keep: { user, identifier in
            _ = try await byUser[user]?.begin(identifier, recipient, client)
        }
    }

    /// Requests the users' identifiers for this team.
    ///
    /// Stores all transfer identifiers first: a user who signs in meanwhile is found by theirs.
    func `import`(
        _ people: [TransferredPerson],
        _ client: AdministrationClient
    ) async throws -> [PacedFailure] {
        let byIdentifier = Self.byUser(people) { $0.identifier ?? "" }
        var waiting: [UserID: TransferredPerson] = [:]
        for (identifier, person) in byIdentifier
        where try await person.begin(identifier, team, client) != .noAccount {
            waiting[identifier] = person
        }
        let others = LockedValue<[PacedFailure]>([])
        let failures = try await ask(waiting) { migration, identifiers, keep in
            try await migration.users(forTransferIdentifiers: identifiers, keep: keep)
        } keep: { identifier, migrated in
            let outcome = try await byIdentifier[identifier]?.arrive(identifier, migrated, client)
            guard outcome == .otherAccount else { return }
            let reason = "the user has a second account; delete one of the two"
            others.withLock { $0.append(PacedFailure(user: identifier, reason: reason)) }
        }
        return failures + others.withLock { $0 }
    }

    /// Sends the requests about users, client by client.
    private func ask<Output: Sendable>(
        _ people: [UserID: TransferredPerson],
        _ question:
            @escaping (
                UserMigration, [UserID], (MigrationStep<Output>) async throws -> Void
            ) async throws -> MigrationProgress,
        keep: @escaping (UserID, Output) async throws -> Void
    ) async throws -> [PacedFailure] {
        var failures: [PacedFailure] = []
        let byClient = Dictionary(grouping: people.keys) { people[$0].map(client) ?? usualClient }
        for (client, users) in byClient {
            let migration = apple.migration(of: client)
            do {
                failures += try await PacedRun(rate: rate).ask(users) { users, keep in
                    try await question(migration, users, keep)
                } keep: { user, output, progress in
                    try await keep(user, output)
                    tell(progress)
                }
            } catch let error as SignInError {
                // A client that Apple refuses must not stop the users of another one.
                guard byClient.count > 1 else {
                    throw CommandFailure(error.description, hint: PacedRun.hint(error))
                }
                failures += users.map { PacedFailure(user: $0, reason: PacedRun.words(error)) }
            }
        }
        console.writeProgress("")
        return failures
    }

    private func client(of person: TransferredPerson) -> ClientID {
        guard !asksAsUsualClient, let own = person.clientID,
            apple.configuration.clientIDs.contains(own)
        else { return usualClient }
        return own
    }

    func report(_ failures: [PacedFailure]) throws {
        for failure in failures.prefix(Self.maximumToldCount) {
            console.writeError(TerminalText.line("\(failure.user): \(failure.reason)"))
        }
        guard failures.isEmpty else {
            throw CommandFailure(
                "\(TerminalText.counted(failures.count, "user")) could not be processed",
                hint: "run the command again: it requests only these users"
            )
        }
        console.write("all users were processed")
    }

    private func tell(_ progress: MigrationProgress) {
        console.writeProgress("\(progress.finishedCount) of \(progress.totalCount)")
    }

    private static func byUser(
        _ people: [TransferredPerson],
        _ key: (TransferredPerson) -> UserID
    ) -> [UserID: TransferredPerson] {
        Dictionary(people.map { (key($0), $0) }) { first, _ in first }
    }
}
