import Accounts
import Synchronization
import TestSupport
import Testing

/// Questions for sessions whose answers are held back until a test gives them.
final class HeldLookups: Sendable {
    private let receivers = Mutex<[any SessionReceiver]>([])

    /// How many wait.
    var count: Int { receivers.withLock { $0.count } }

    func hold(_ receiver: any SessionReceiver) {
        receivers.withLock { $0.append(receiver) }
    }

    /// Waits until somebody waits for an answer.
    func wait() async throws {
        try await waitUntil { count > 0 }
    }

    /// Gives all that wait the same answer, together.
    func give(_ answer: @escaping SessionAnswer) {
        let receivers = receivers.withLock { receivers in
            defer { receivers = [] }
            return receivers
        }
        for receiver in receivers { receiver.take(answer) }
        for receiver in receivers { receiver.answersEnd() }
    }
}
