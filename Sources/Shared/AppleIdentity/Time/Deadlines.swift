/// Many deadlines with one timer: nearly all of the work ends in time, and a timer for each would cost more than most
/// of that work.
///
/// They use the elapsed time: setting a clock neither delays nor hastens them.
package final class Deadlines: Sendable {
    /// The identifier of a deadline.
    package struct Name: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct Entry {
        let time: Duration
        let miss: @Sendable () -> Void
    }

    private struct State {
        var entries: [Name: Entry] = [:]
        var lastNumber: UInt64 = 0
        /// When the timer fires next; nil while it does not run.
        var nextLook: Duration?
    }

    private let state = LockedValue(State())

    package init() {}

    /// The number of deadlines, for tests.
    package var count: Int { state.withLock { $0.entries.count } }

    /// Adds a deadline; `miss` is called once if it passes before it is removed.
    package func add(
        after duration: Duration,
        by time: TimeSource,
        miss: @escaping @Sendable () -> Void
    ) -> Name {
        let entry = Entry(time: time.uptime + duration, miss: miss)
        let (name, starts) = state.withLock { state in
            state.lastNumber += 1
            let name = Name(number: state.lastNumber)
            state.entries[name] = entry
            // A timer that fires later than this would be too late.
            let starts = state.nextLook.map { entry.time < $0 } ?? true
            if starts { state.nextLook = entry.time }
            return (name, starts)
        }
        if starts { watch(until: entry.time, time) }
        return name
    }

    /// Removes a deadline, which may have passed.
    package func remove(_ name: Name) { state.withLock { $0.entries[name] = nil } }

    /// Waits for one deadline after the other, until none is left or an earlier timer has taken over.
    private func watch(until first: Duration, _ time: TimeSource) {
        Task { [weak self] in
            var next: Duration? = first
            while let look = next {
                guard (try? await time.sleep(until: look)) != nil else { return }
                next = self?.pass(look, now: time.uptime)
            }
        }
    }

    /// When to fire next; nil if this timer is no longer needed.
    private func pass(_ look: Duration, now: Duration) -> Duration? {
        let (missed, next) = state.withLock { state in
            guard state.nextLook == look else { return ([Entry](), Duration?.none) }
            let missed = state.entries.filter { $0.value.time <= now }
            for name in missed.keys { state.entries[name] = nil }
            state.nextLook = state.entries.values.map(\.time).min()
            return (Array(missed.values), state.nextLook)
        }
        for entry in missed { entry.miss() }
        return next
    }
}

extension TimeSource {
    /// Runs an operation, and cancels it if it takes longer; it must end when it is cancelled.
    package func within<Answer: Sendable>(
        _ duration: Duration,
        late: @autoclosure () -> any Error,
        _ operation: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let isLate = LockedValue(false)
        let task = Task { try await operation() }
        let deadline = deadlines.add(after: duration, by: self) {
            isLate.withLock { $0 = true }
            task.cancel()
        }
        defer { deadlines.remove(deadline) }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        // An operation that ends when it is cancelled may return what it had by then.
        if isLate.withLock({ $0 }) { throw late() }
        return try result.get()
    }

    /// Waits until a time; returns at once if it has passed.
    fileprivate func sleep(until end: Duration) async throws {
        let wait = end - uptime
        if wait > .zero { try await sleep(for: wait) }
    }
}
