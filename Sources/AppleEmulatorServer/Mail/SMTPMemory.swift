import Synchronization

/// Bounds what the unfinished mails of all conversations hold together.
///
/// Each conversation may send a long mail; a hundred of them at a time would take two gigabytes.
final class SMTPMemory: Sendable {
    /// How much they hold at most, in bytes.
    static let maximumByteCount = 64 * 1024 * 1024

    private let maximumByteCount: Int
    private let held = Mutex(0)

    init(maximumByteCount: Int = SMTPMemory.maximumByteCount) {
        self.maximumByteCount = maximumByteCount
    }

    /// How much they hold now, in bytes.
    var heldByteCount: Int { held.withLock { $0 } }

    /// Takes more bytes, or gives some back.
    ///
    /// - Returns: whether there is so much left; nothing is taken otherwise.
    func change(by byteCount: Int) -> Bool {
        held.withLock { held in
            guard byteCount <= 0 || held + byteCount <= maximumByteCount else { return false }
            held += byteCount
            return true
        }
    }
}
