import Foundation

/// A clock that stands still until it is set; sleepers wake when it passes their time.
package final class ManualTime: Sendable {
    private struct Sleeper: Sendable {
        let wakeTime: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State: Sendable {
        var now: Date
        var uptime: Duration = .zero
        var nextID = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
    }

    private let state: LockedValue<State>

    package init(now: Date = Date(timeIntervalSince1970: 1_769_000_000)) {
        state = LockedValue(State(now: now))
    }

    package var now: Date { state.withLock { $0.now } }

    /// The sum of its advances.
    package var uptime: Duration { state.withLock { $0.uptime } }

    package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    package var source: TimeSource {
        TimeSource(
            now: { self.now },
            uptime: { self.uptime },
            sleep: { try await self.sleep(for: $0) }
        )
    }

    /// Advances the clock and wakes the sleepers whose time has passed.
    package func advance(bySeconds seconds: TimeInterval) {
        let nanoseconds = Int64((seconds * 1e9).rounded())
        move(by: .nanoseconds(nanoseconds)) { $0.addingTimeInterval(seconds) }
    }

    /// Sets the clock; set forward, it wakes the sleepers whose time has passed.
    package func set(now: Date) {
        // A date is exact to a tenth of a microsecond.
        let microseconds = Int64((now.timeIntervalSince(self.now) * 1e6).rounded())
        move(by: .microseconds(max(microseconds, 0))) { _ in now }
    }

    /// Sets the date only, as an administrator corrects a machine's clock: no time passes.
    package func correct(now: Date) { state.withLock { $0.now = now } }

    private func move(by duration: Duration, _ next: (Date) -> Date) {
        let due = state.withLock { state in
            state.now = next(state.now)
            state.uptime += duration
            let due = state.sleepers.filter { $0.value.wakeTime <= state.uptime }
            for identifier in due.keys { state.sleepers[identifier] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    private func sleep(for duration: Duration) async throws {
        let identifier = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enter(identifier, for: duration, continuation)
            }
        } onCancel: {
            cancel(identifier)
        }
    }

    private func enter(
        _ identifier: Int,
        for duration: Duration,
        _ continuation: CheckedContinuation<Void, any Error>
    ) {
        let outcome: Result<Void, any Error>? = state.withLock { state in
            guard state.cancelled.remove(identifier) == nil else {
                return .failure(CancellationError())
            }
            guard duration > .zero else { return .success(()) }
            state.sleepers[identifier] = Sleeper(
                wakeTime: state.uptime + duration,
                continuation: continuation
            )
            return nil
        }
        if let outcome { continuation.resume(with: outcome) }
    }

    private func cancel(_ identifier: Int) {
        let sleeper = state.withLock { state in
            let sleeper = state.sleepers.removeValue(forKey: identifier)
            if sleeper == nil { state.cancelled.insert(identifier) }
            return sleeper
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
