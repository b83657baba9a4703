import AppleIdentity

/// Sends every listener the current state and all later ones, in order.
final class StateBroadcast: Sendable {
    private struct Content: Sendable {
        var state: SignInState
        var nextID = 0
        var listeners: [Int: AsyncStream<SignInState>.Continuation] = [:]
        var isFinished = false
    }

    private let content: LockedValue<Content>

    init(_ state: SignInState) {
        content = LockedValue(Content(state: state))
    }

    var state: SignInState { content.withLock { $0.state } }

    /// Sends a state to all listeners if it has changed, and returns whether it has.
    @discardableResult
    func send(_ state: SignInState) -> Bool {
        // Sending inside the lock gives all listeners the same order.
        content.withLock { content in
            guard content.state != state else { return false }
            content.state = state
            for listener in content.listeners.values { listener.yield(state) }
            return true
        }
    }

    /// A stream of its own for each listener; nothing is dropped while a listener is busy.
    func stream() -> AsyncStream<SignInState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SignInState.self,
            bufferingPolicy: .unbounded
        )
        let id: Int? = content.withLock { content in
            if content.state != .starting { continuation.yield(content.state) }
            guard !content.isFinished else { return nil }
            content.nextID += 1
            content.listeners[content.nextID] = continuation
            return content.nextID
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.content.withLock { $0.listeners[id] = nil }
        }
        return stream
    }

    /// Ends all streams.
    func finish() {
        let listeners = content.withLock { content in
            defer { content.listeners = [:] }
            content.isFinished = true
            return Array(content.listeners.values)
        }
        // Outside the lock: the end of a stream takes it again.
        for listener in listeners { listener.finish() }
    }
}
