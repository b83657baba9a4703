import AppleIdentity

/// One run of a controller, which ends once: by the device's outcome or by cancellation.
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

    /// Ends the run; returns false if it has already ended.
    func finish() -> Bool { end() != nil }

    /// Ends the run and cancels its task; returns false if it has already ended.
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
