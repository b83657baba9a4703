import Synchronization

/// Does something once, when a number of things have happened.
final class CountDown: Sendable {
    private let remaining: Mutex<Int>
    private let action: @Sendable () -> Void

    init(_ count: Int, then action: @escaping @Sendable () -> Void) {
        remaining = Mutex(count)
        self.action = action
    }

    func tick() {
        let isLast = remaining.withLock { remaining in
            remaining -= 1
            return remaining == 0
        }
        if isLast { action() }
    }
}
