import Synchronization

/// Tells whoever sends notifications that there may be something to send.
package final class DeliveryBell: Sendable {
    private struct State {
        var isRung = false
        var nextID = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Wakes whoever waits; when nobody does, the next one who would wait goes on at once.
    package func ring() {
        let waiting = state.withLock { state in
            state.isRung = state.waiting.isEmpty
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

    private func enter(_ id: Int, _ continuation: CheckedContinuation<Void, Never>) {
        let goesOn = state.withLock { state in
            // A task cancelled before this point has not been found by its handler.
            guard !state.isRung, !Task.isCancelled else {
                state.isRung = false
                return true
            }
            state.waiting[id] = continuation
            return false
        }
        if goesOn { continuation.resume() }
    }
}
