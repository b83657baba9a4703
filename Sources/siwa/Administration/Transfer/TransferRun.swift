import Accounts
import AppleIdentity
import Foundation
import NIOHTTP1
import SignInWithApple

/// Asks Apple about many people, and has the database keep each answer before the next person is asked about.
struct TransferRun: Sendable {
    /// How many failures are told one by one.
    private static let maximumToldCount = 100

    /// The team in whose name Apple is asked.
    let team: TeamID
    let migration: UserMigration
    let rate: Int
    let console: Console

    /// Has the audit log tell of the run, before Apple is asked about anybody.
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

    /// Asks for transfer identifiers.
    ///
    /// - Returns: for whom there is none.
    func export(
        _ people: [TransferredPerson],
        to recipient: TeamID,
        _ client: AdministrationClient
    ) async throws -> [PacedFailure] {
        let byUser = Self.byUser(people) { $0.person.user }
        let failures = try await PacedRun(rate: rate).ask(Array(byUser.keys)) { users, keep in
            try await migration.transferIdentifiers(for: users, to: recipient, keep: keep)
        } keep: { user, identifier, progress in
            guard let person = byUser[user] else { return }
            _ = try await person.begin(identifier, recipient, client)
            tell(progress)
        }
        console.writeProgress("")
        return failures
    }

    /// Asks who people are for this team.
    ///
    /// The identifiers are stored first, so that somebody who signs in before their turn is found by theirs.
    ///
    /// - Returns: who could not be moved.
    func `import`(
        _ people: [TransferredPerson],
        _ client: AdministrationClient
    ) async throws -> [PacedFailure] {
        let byIdentifier = Self.byUser(people) { $0.identifier ?? "" }
        var waiting: [UserID] = []
        for (identifier, person) in byIdentifier
        where try await person.begin(identifier, team, client) != .noAccount {
            waiting.append(identifier)
        }
        let others = OtherAccounts()
        let failures = try await PacedRun(rate: rate).ask(waiting) { identifiers, keep in
            try await migration.users(forTransferIdentifiers: identifiers, keep: keep)
        } keep: { identifier, migrated, progress in
            guard let person = byIdentifier[identifier] else { return }
            if try await person.arrive(identifier, migrated, client) == .otherAccount {
                others.add(identifier)
            }
            tell(progress)
        }
        console.writeProgress("")
        return failures + others.failures
    }

    /// Tells who is left.
    ///
    /// - Throws: ``CommandFailure`` when somebody is.
    func report(_ failures: [PacedFailure]) throws {
        for failure in failures.prefix(Self.maximumToldCount) {
            console.writeError(TerminalText.line("\(failure.user): \(failure.reason)"))
        }
        guard failures.isEmpty else {
            throw CommandFailure(
                "\(failures.count) people are left",
                hint: "run the command again: only they are asked about"
            )
        }
        console.write("nobody is left")
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

/// People who have made another account as the recipient knows them.
private final class OtherAccounts: Sendable {
    private let users = LockedValue<[UserID]>([])

    func add(_ user: UserID) {
        users.withLock { $0.append(user) }
    }

    var failures: [PacedFailure] {
        users.withLock { $0 }
            .map {
                PacedFailure(
                    user: $0,
                    reason: "the person has made a second account since; delete one of the two"
                )
            }
    }
}
