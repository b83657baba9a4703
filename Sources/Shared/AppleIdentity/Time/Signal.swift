/// Wakes a worker when there may be work, before its next regular look.
///
/// It works in one process; work of other processes is found by the regular looks.
package final class Signal: Sendable {
    private struct State: Sendable {
        var isSent = false
        var nextID = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = LockedValue(State())

    package init() {}

    /// Wakes the waiting tasks; if there is none, the next call of ``wait()`` returns at once.
    package func send() {
        let waiting = state.withLock { state in
            state.isSent = state.waiting.isEmpty
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns after a signal, or when the task is cancelled.
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

    /// Returns after a signal, or when the time is up.
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
            // A task cancelled before this point was not found by its cancellation handler.
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
