import Foundation
import Synchronization

/// A buffer of session uses that are saved in batches.
///
/// A use records only when a session was last used. When the process dies, the uses of the last seconds are lost.
package final class SessionUseBuffer: Sendable {
    /// The maximum number of sessions; the use of any other is buffered at a later request.
    package static let maximumCount = 100_000

    private let waiting = Mutex<[SessionID: SessionUse]>([:])

    package init() {}

    /// Adds a use, unless a later one of the session is present.
    package func add(_ use: SessionUse) {
        waiting.withLock { waiting in
            guard waiting.count < Self.maximumCount || waiting[use.session] != nil else { return }
            if let known = waiting[use.session], known.lastUsedAt >= use.lastUsedAt { return }
            waiting[use.session] = use
        }
    }

    /// Removes and returns all uses.
    package func drain() -> [SessionUse] {
        waiting.withLock { waiting in
            defer { waiting = [:] }
            return Array(waiting.values)
        }
    }

    /// The number of buffered sessions.
    package var count: Int { waiting.withLock { $0.count } }
}

/// A session's latest use.
package struct SessionUse: Hashable, Sendable {
    package let session: SessionID
    package let lastUsedAt: Date
    /// When the session expires after this use.
    package let expiresAt: Date
}
