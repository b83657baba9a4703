import AppleIdentity

/// Has callbacks of one sign-in wait for each other: Safari posts some twice at once, and drops the first answer.
///
/// Apple would refuse the second one's code while the first one is not finished yet.
final class CallbackTurns: Sendable {
    /// Who waits for a sign-in that is being finished, by its identifier.
    private let waiting = LockedValue<[String: [CheckedContinuation<Void, Never>]]>([:])

    /// Takes a step when no other one of the same sign-in is under way.
    func take<Result>(_ id: String, _ step: () async throws -> Result) async rethrows -> Result {
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
