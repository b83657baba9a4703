import AppleIdentity
import Synchronization

/// Lets one transaction of this process at a time begin again, of those that have met others repeatedly.
///
/// Where many sign-ins touch the same few pages, as they do in a database with few accounts, all but one of those that run
/// together have to begin again, and would meet again. One after the other, they end.
final class RetryLane: Sendable {
    /// How many may wait; more go on without it.
    static let maximumWaitingCount = 1_000

    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<Bool, Never>
        let deadline: Deadlines.Name
    }

    private struct State {
        var isTaken = false
        var waiting: [Waiter] = []
        var lastNumber = 0
    }

    private let time: TimeSource
    private let state = Mutex(State())

    init(time: TimeSource) {
        self.time = time
    }

    /// How many wait for their turn.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Waits for its turn.
    ///
    /// - Parameter end: how long it waits at most, by the clock's uptime.
    /// - Returns: whether it has the lane, and has to leave it; false when too many wait, or its time is over.
    func enter(until end: Duration) async -> Bool {
        await withCheckedContinuation { continuation in
            let answer: Bool? = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                guard state.waiting.count < Self.maximumWaitingCount else { return false }
                wait(continuation, until: end, &state)
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Gives the lane to whoever has waited longest.
    func leave() {
        let next = state.withLock { state -> Waiter? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        guard let next else { return }
        time.deadlines.remove(next.deadline)
        next.continuation.resume(returning: true)
    }

    private func wait(
        _ continuation: CheckedContinuation<Bool, Never>,
        until end: Duration,
        _ state: inout State
    ) {
        state.lastNumber += 1
        let number = state.lastNumber
        let deadline = time.deadlines.add(after: end - time.uptime, by: time) { [weak self] in
            self?.giveUp(number)
        }
        state.waiting.append(
            Waiter(number: number, continuation: continuation, deadline: deadline)
        )
    }

    private func giveUp(_ number: Int) {
        let waiter = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
        }
        waiter?.continuation.resume(returning: false)
    }
}
