import Synchronization

/// Lets one transaction of this process at a time begin again, of those that have met others repeatedly.
///
/// Where many sign-ins touch the same few pages, as they do in a database with few accounts, all but one of those that run
/// together have to begin again, and would meet again. One after the other, they end.
final class RetryLane: Sendable {
    /// How many may wait; more go on without it.
    static let maximumWaitingCount = 1_000

    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Bool, Never>] = []
    }

    private let state = Mutex(State())

    /// How many wait for their turn.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Waits for its turn.
    ///
    /// - Returns: whether it has the lane, and has to leave it; false when too many wait.
    func enter() async -> Bool {
        await withCheckedContinuation { continuation in
            let answer: Bool? = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                guard state.waiting.count < Self.maximumWaitingCount else { return false }
                state.waiting.append(continuation)
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Gives the lane to whoever has waited longest.
    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume(returning: true)
    }
}
