import Accounts
import AppleIdentity
import Synchronization

/// Completed sign-ins that share transactions: what arrives while one is under way is carried out by the next one.
///
/// One transaction for many costs a third of one for each, and those of one process do not get into each other's way. Nobody
/// waits for others to come: a sign-in that is alone is carried out at once. Only those share one that have neither person
/// nor address in common, so that none of them reads what another one writes, but for this: the session that one ends in its
/// browser may be of another one's account, who still counts it.
final class SignInBatches: Sendable {
    /// How many share a transaction.
    ///
    /// Two processes meet the more often the more rows their transactions read and write, and all who share one wait for
    /// the slowest of their statements.
    static let maximumCount = 16
    /// How many may wait; the next one is told that the store is busy.
    static let maximumWaitingCount = 1_000

    /// Nothing when the sign-in has to be decided by itself.
    private typealias Answer = Result<SignInOutcome?, AccountStoreError>

    private struct Waiter: Sendable {
        let number: Int
        let completion: SignInCompletion
        let deadline: Deadlines.Name
        let continuation: CheckedContinuation<Answer, Never>
    }

    private struct State {
        var waiting: [Waiter] = []
        var isBusy = false
        var lastNumber = 0
    }

    private let database: PostgreSQLDatabase
    private let time: TimeSource
    private let state = Mutex(State())

    init(database: PostgreSQLDatabase, time: TimeSource) {
        self.database = database
        self.time = time
    }

    /// How many wait for the next transaction, for tests and metrics.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Completes a sign-in together with others.
    ///
    /// - Parameter completion: the sign-in.
    /// - Returns: its outcome; nil when it was not carried out, and has to be decided by itself.
    /// - Throws: `AccountStoreError`.
    func complete(
        _ completion: SignInCompletion
    ) async throws(AccountStoreError) -> SignInOutcome? {
        let answer: Answer = await withCheckedContinuation { continuation in
            let starts = state.withLock { add(completion, continuation, to: &$0) }
            // What belongs to the first caller, such as a trace, is not for the others.
            if starts { Task.detached { await self.work() } }
        }
        return try answer.get()
    }

    /// Whether somebody has to begin to work.
    private func add(
        _ completion: SignInCompletion,
        _ continuation: CheckedContinuation<Answer, Never>,
        to state: inout State
    ) -> Bool {
        guard state.waiting.count < Self.maximumWaitingCount else {
            continuation.resume(returning: .failure(Self.busy("too many sign-ins wait")))
            return false
        }
        state.lastNumber += 1
        let number = state.lastNumber
        let deadline = time.deadlines.add(after: ConnectionPool.maximumWait, by: time) {
            [weak self] in self?.giveUp(number)
        }
        state.waiting.append(
            Waiter(
                number: number,
                completion: completion,
                deadline: deadline,
                continuation: continuation
            )
        )
        defer { state.isBusy = true }
        return !state.isBusy
    }

    private func giveUp(_ number: Int) {
        let waiter = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
        }
        waiter?.continuation.resume(
            returning: .failure(Self.busy("the sign-ins before take too long"))
        )
    }

    private func work() async {
        while let batch = state.withLock({ Self.next(&$0) }) {
            for waiter in batch { time.deadlines.remove(waiter.deadline) }
            await carryOut(batch)
        }
    }

    /// Takes those who have waited longest and have nothing in common; nil when nobody waits.
    private static func next(_ state: inout State) -> [Waiter]? {
        guard !state.waiting.isEmpty else {
            state.isBusy = false
            return nil
        }
        var batch: [Waiter] = []
        var rest: [Waiter] = []
        var people: Set<ApplePerson> = []
        var addresses: Set<String> = []
        for waiter in state.waiting {
            let attempt = waiter.completion.apple.attempt
            let isAddressTaken = attempt.emailKey.map { addresses.contains($0) } ?? false
            guard batch.count < maximumCount, !people.contains(attempt.person), !isAddressTaken
            else {
                rest.append(waiter)
                continue
            }
            people.insert(attempt.person)
            if let address = attempt.emailKey { addresses.insert(address) }
            batch.append(waiter)
        }
        state.waiting = rest
        return batch
    }

    private func carryOut(_ batch: [Waiter]) async {
        do throws(AccountStoreError) {
            let outcomes = try await database.decideTogether(batch.map(\.completion)) {
                $1.guess($0)
            }
            for (waiter, outcome) in zip(batch, outcomes) {
                waiter.continuation.resume(returning: .success(outcome))
            }
        } catch {
            for waiter in batch { waiter.continuation.resume(returning: .failure(error)) }
        }
    }

    private static func busy(_ hint: String) -> AccountStoreError {
        AccountStoreError(.unavailable, hint: "PostgreSQL: \(hint)")
    }
}

extension Question {
    /// Asks what a completed sign-in is decided by, as if its token, nonce and session were new.
    ///
    /// Nearly all are. Whether they are, their insertion tells as well, without having read where every sign-in inserts; a
    /// refusal inserts nothing, so that the whole question decides it.
    ///
    /// - Parameter completion: the sign-in.
    /// - Returns: the rule.
    fileprivate mutating func guess(_ completion: SignInCompletion) -> GuessRule<SignInOutcome> {
        let facts = facts(of: completion, guessesNew: true)
        return { answers throws(AccountStoreError) in
            let decision = completion.decision(given: try answers[facts])
            guard case .signedIn = decision.answer else { return nil }
            return decision
        }
    }
}
