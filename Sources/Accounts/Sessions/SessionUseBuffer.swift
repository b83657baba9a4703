import Synchronization

/// Uses of sessions that wait to be written together.
///
/// A use tells only when a device was seen last: when the process dies, the last seconds of that are lost,
/// and nothing that anybody was told is stored.
package final class SessionUseBuffer: Sendable {
    /// How many sessions may wait; the use of any other comes again with its next request.
    package static let maximumCount = 100_000

    private let waiting = Mutex<[SessionID: SessionUse]>([:])

    /// Makes an empty buffer.
    package init() {}

    /// Keeps a use until it is taken.
    package func add(_ use: SessionUse) {
        waiting.withLock { waiting in
            guard waiting.count < Self.maximumCount || waiting[use.session] != nil else { return }
            if let known = waiting[use.session], known.lastUsedAt >= use.lastUsedAt { return }
            waiting[use.session] = use
        }
    }

    /// Takes what waits.
    package func take() -> [SessionUse] {
        waiting.withLock { waiting in
            defer { waiting = [:] }
            return Array(waiting.values)
        }
    }

    /// How many sessions wait.
    package var count: Int { waiting.withLock { $0.count } }
}
