import Accounts
import AppleIdentity
import Synchronization

/// Looks up sessions; lookups that arrive while a statement runs share the next one.
final class SessionLoader: Sendable {
    /// How many sessions a statement looks up.
    static let maximumBatchCount = 128
    /// How many lookups may wait; further ones fail as unavailable.
    static let maximumWaitingCount = 10_000

    private typealias Answer = Result<SignedInSession?, AccountStoreError>

    private struct Waiter {
        let tokenHash: SecretHash
        let continuation: CheckedContinuation<Answer, Never>
    }

    private struct State {
        var waiting: [Waiter] = []
        var isBusy = false
    }

    private let pool: ConnectionPool
    private let state = Mutex(State())

    init(pool: ConnectionPool) {
        self.pool = pool
    }

    /// How many lookups wait for the next statement.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Returns a session, possibly expired, as stored when the call began or later.
    func storedSession(
        tokenHash: SecretHash
    ) async throws(AccountStoreError) -> SignedInSession? {
        let answer: Answer = await withCheckedContinuation { continuation in
            let waiter = Waiter(tokenHash: tokenHash, continuation: continuation)
            guard let starts = state.withLock({ Self.add(waiter, to: &$0) }) else {
                let hint = "PostgreSQL: too many sessions are being looked up"
                return continuation.resume(
                    returning: .failure(AccountStoreError(.unavailable, hint: hint))
                )
            }
            // A detached task inherits nothing of the first caller, such as its trace.
            if starts { Task.detached { await self.work() } }
        }
        return try answer.get()
    }

    /// Adds a lookup and returns whether to start the loop; nil when too many wait.
    private static func add(_ waiter: Waiter, to state: inout State) -> Bool? {
        guard state.waiting.count < maximumWaitingCount else { return nil }
        state.waiting.append(waiter)
        defer { state.isBusy = true }
        return !state.isBusy
    }

    private func work() async {
        while let batch = state.withLock({ Self.nextBatch(&$0) }) {
            do throws(AccountStoreError) {
                let found = try await find(batch)
                for waiter in batch {
                    waiter.continuation.resume(returning: .success(found[waiter.tokenHash]))
                }
            } catch {
                // Lookups that arrived meanwhile would wait for the same failure.
                let waiting = state.withLock { state in
                    defer { state.waiting = [] }
                    return state.waiting
                }
                for waiter in batch + waiting {
                    waiter.continuation.resume(returning: .failure(error))
                }
            }
        }
    }

    private static func nextBatch(_ state: inout State) -> [Waiter]? {
        guard !state.waiting.isEmpty else {
            state.isBusy = false
            return nil
        }
        let batch = Array(state.waiting.prefix(maximumBatchCount))
        state.waiting.removeFirst(batch.count)
        return batch
    }

    private func find(
        _ batch: [Waiter]
    ) async throws(AccountStoreError) -> [SecretHash: SignedInSession] {
        let hashes = batch.map { #""\\x\#(Hexadecimal.encode($0.tokenHash.bytes))""# }
        let statement = Statement(Self.sql, [.text("{\(hashes.joined(separator: ","))}")])
        let rows: [SQLRow]
        switch try await pool.read([pool.settings.keyLimits, statement]) {
        case .success(let answers): rows = answers[1].rows
        case .failure(let failure): throw AccountStoreError(failure)
        }
        var found: [SecretHash: SignedInSession] = [:]
        for row in rows {
            let (hash, signedIn) = try Query.signedIn(row)
            found[hash] = signedIn
        }
        return found
    }

    /// Looks up many sessions, each one separately.
    ///
    /// The array is in a subquery, because a server that knew its length would plan each time. `LIMIT` makes each row a
    /// separate lookup, because a plan made for a small table could join all of it, and plans are kept.
    static let sql = """
        SELECT answer.* FROM unnest((SELECT $1::BYTEA[])) AS wanted(token_hash)
        CROSS JOIN LATERAL (
            SELECT \(Query.signedInColumns) FROM sessions
            CROSS JOIN LATERAL (SELECT * FROM accounts WHERE id = sessions.account_id LIMIT 1)
                AS accounts
            LEFT JOIN LATERAL
                (SELECT * FROM apple_identities WHERE account_id = accounts.id LIMIT 1)
                AS apple_identities ON true
            WHERE sessions.token_hash = wanted.token_hash OFFSET 0
        ) AS answer
        """
}
