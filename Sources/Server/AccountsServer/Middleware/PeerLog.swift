import Foundation
import Synchronization

/// Selects the peers to log about one event: each once an hour, so a flood does not fill the log.
final class PeerLog: Sendable {
    /// The maximum number of logged peers in an hour.
    static let maximumCount = 100
    /// Seconds between two log lines about one peer.
    static let logInterval: TimeInterval = 3600

    private let loggedAt = Mutex<[ClientNetwork: Date]>([:])

    /// Whether a peer is to be logged now.
    func isDue(_ peer: ClientNetwork, now: Date) -> Bool {
        loggedAt.withLock { loggedAt in
            func isRecent(_ date: Date) -> Bool {
                abs(now.timeIntervalSince(date)) < Self.logInterval
            }
            if let date = loggedAt[peer], isRecent(date) { return false }
            loggedAt = loggedAt.filter { isRecent($0.value) }
            guard loggedAt.count < Self.maximumCount else { return false }
            loggedAt[peer] = now
            return true
        }
    }
}
