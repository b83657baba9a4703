/// Wakes a worker when there may be something to do, so that it need not wait for its next look.
///
/// It rings in one process only; what other processes leave to do is found by looking.
package final class Signal: Sendable {
    private struct State: Sendable {
        var isSent = false
        var nextID = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = LockedValue(State())

    package init() {}

    /// Wakes whoever waits; when nobody does, the next one who would wait goes on at once.
    package func send() {
        let waiting = state.withLock { state in
            state.isSent = state.waiting.isEmpty
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when it rings, has rung unheard, or the task is cancelled.
    package func wait() async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { enter(id, $0) }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
    }

    /// Returns when it rings, has rung unheard, or the time is up.
    package func wait(atMost duration: Duration, on time: TimeSource) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await time.sleep(for: duration) }
            group.addTask { await self.wait() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func enter(_ id: Int, _ continuation: CheckedContinuation<Void, Never>) {
        let goesOn = state.withLock { state in
            // A task cancelled before this point has not been found by its handler.
            guard !state.isSent, !Task.isCancelled else {
                state.isSent = false
                return true
            }
            state.waiting[id] = continuation
            return false
        }
        if goesOn { continuation.resume() }
    }
}
