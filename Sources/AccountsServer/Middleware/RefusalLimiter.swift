import AppleIdentity
import Foundation
import Synchronization

/// Limits floods of bad requests: a network that is refused too often must wait.
///
/// It protects only this process, so it is neither stored nor shared; the store counts guesses at
/// passwords and codes. Only refusals count, so a network with many users who sign in never waits.
/// It is a token bucket, stored as the time at which the bucket is full again.
///
/// Source: [Token bucket](https://www.rfc-editor.org/rfc/rfc2697)
final class RefusalLimiter: Sendable {
    /// The number of refusals that a network may get at once.
    static let burst = 60
    /// The number of refusals per second that a network may get without a limit in time.
    static let perSecond = 10.0
    /// The number of buckets; more networks share them, and each uses eight bytes.
    static let bucketCount = 32_768

    private let fullAt: Mutex<[TimeInterval]>
    private let time: TimeSource

    init(time: TimeSource) {
        self.time = time
        fullAt = Mutex(Array(repeating: 0, count: Self.bucketCount))
    }

    /// Returns the whole seconds that a network must wait before its next request; nil for none.
    func wait(_ network: String) -> Int? {
        let now = time.now.timeIntervalSince1970
        let missing = fullAt.withLock { missingSeconds($0[Self.index(network)], now) }
        let wait = missing + 1 / Self.perSecond - Self.capacity
        // Half a refusal is allowed, because rounded times must not make a network wait.
        return wait > 0.5 / Self.perSecond ? max(Int(wait.rounded(.up)), 1) : nil
    }

    func count(_ network: String) {
        let now = time.now.timeIntervalSince1970
        let index = Self.index(network)
        fullAt.withLock { fullAt in
            let missing = missingSeconds(fullAt[index], now) + 1 / Self.perSecond
            fullAt[index] = now + min(missing, Self.capacity)
        }
    }

    /// The seconds in which an empty bucket fills.
    private static let capacity = Double(burst) / perSecond

    /// A later time was written before the clock was set back: the network must not wait for it.
    private func missingSeconds(_ fullAt: TimeInterval, _ now: TimeInterval) -> TimeInterval {
        let missing = fullAt - now
        return missing > Self.capacity + 1 ? 0 : max(missing, 0)
    }

    /// Swift's hashes are seeded in each process, so an attacker cannot choose a shared bucket.
    private static func index(_ network: String) -> Int {
        var hasher = Hasher()
        hasher.combine(network)
        return Int(UInt(bitPattern: hasher.finalize()) % UInt(bucketCount))
    }
}
