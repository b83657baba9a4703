import AppleIdentity

/// One run of a controller: it ends once, by the device's answer or by being cancelled.
final class AuthorizationRun: Sendable {
    private struct State {
        var isOver = false
        var task: Task<Void, Never>?
    }

    private let state = LockedValue(State())

    func start(_ work: @escaping @Sendable () async -> Void) {
        let task = Task { await work() }
        state.withLock { if !$0.isOver { $0.task = task } }
    }

    /// Ends the run; false when it is over.
    func finish() -> Bool { end() != nil }

    /// Ends the run and what it waits for; false when it is over.
    func cancel() -> Bool {
        guard let task = end() else { return false }
        task?.cancel()
        return true
    }

    private func end() -> Task<Void, Never>?? {
        state.withLock { state in
            guard !state.isOver else { return nil }
            state.isOver = true
            defer { state.task = nil }
            return .some(state.task)
        }
    }
}
