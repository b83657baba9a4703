import Accounts
import AppleIdentity
import Foundation
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

/// Somebody about whom Apple gave no answer.
struct PacedFailure: Hashable, Sendable {
    let user: UserID
    let reason: String
}

/// A run about many people: no more of them in a second than is said, and once more after what passes.
struct PacedRun: Sendable {
    /// How often Apple is asked about somebody: after 2, 4, 8, 16 and 32 seconds once more.
    static let maximumRoundCount = 6

    let rate: Int
    var time: TimeSource = .live

    /// Runs until everybody has an answer, or a refusal that stays.
    ///
    /// - Parameters:
    ///   - people: whom Apple is asked about.
    ///   - ask: one run of the library.
    ///   - keep: takes an answer.
    /// - Returns: who has none.
    /// - Throws: `SignInError` when Apple gives no access token, what `keep` throws, or `CancellationError`.
    func ask<Output: Sendable>(
        _ people: [UserID],
        _ ask: ([UserID], (MigrationStep<Output>) async throws -> Void) async throws ->
            MigrationProgress,
        keep: @escaping (UserID, Output, MigrationProgress) async throws -> Void
    ) async throws -> [PacedFailure] {
        var failures: [PacedFailure] = []
        var waiting = people
        var passing: [UserID: String] = [:]
        for round in 0..<Self.maximumRoundCount where !waiting.isEmpty {
            if round > 0 { try await time.sleep(for: .seconds(1 << round)) }
            passing = [:]
            do {
                _ = try await ask(waiting) { step in
                    switch step.outcome {
                    case .success(let output): try await keep(step.user, output, step.progress)
                    case .failure(let error) where error.isRetryable:
                        passing[step.user] = Self.words(error)
                    case .failure(let error):
                        failures.append(PacedFailure(user: step.user, reason: Self.words(error)))
                    }
                    // Nobody else is asked about while this one is kept.
                    try await time.sleep(for: .milliseconds(1_000 / rate))
                }
                waiting = Array(passing.keys)
            } catch let error as SignInError {
                guard error.isRetryable, round + 1 < Self.maximumRoundCount else { throw error }
            }
        }
        return failures + passing.map { PacedFailure(user: $0, reason: $1) }
    }

    private static func words(_ error: SignInError) -> String {
        "\(error.code.rawValue): \(error.hint)"
    }
}
