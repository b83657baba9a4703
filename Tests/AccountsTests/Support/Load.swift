import Synchronization

/// Says when those who load the store shall stop.
final class Load: Sendable {
    private let state = Mutex(false)

    var isOver: Bool { state.withLock { $0 } }

    func end() { state.withLock { $0 = true } }
}
