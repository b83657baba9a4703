import AppleIdentity

/// Handles the requests of one sign-in in turn: Safari posts some callbacks twice at once, and drops the first response.
///
/// Apps repeat requests, too. Apple would reject the code of the second one while the first one is not finished.
final class CallbackTurns: Sendable {
    /// The waiting callbacks, by the identifier of their sign-in.
    private let waiting = LockedValue<[String: [CheckedContinuation<Void, Never>]]>([:])

    /// Runs a step when no other step of the same sign-in is running.
    func run<Result>(_ id: String, _ step: () async throws -> Result) async rethrows -> Result {
        await begin(id)
        defer { end(id) }
        return try await step()
    }

    private func begin(_ id: String) async {
        await withCheckedContinuation { continuation in
            let isFirst = waiting.withLock { waiting in
                guard waiting[id] == nil else {
                    waiting[id]?.append(continuation)
                    return false
                }
                waiting[id] = []
                return true
            }
            if isFirst { continuation.resume() }
        }
    }

    private func end(_ id: String) {
        let next = waiting.withLock { waiting in
            guard waiting[id]?.isEmpty == false else {
                waiting[id] = nil
                return nil as CheckedContinuation<Void, Never>?
            }
            return waiting[id]?.removeFirst()
        }
        next?.resume()
    }
}
