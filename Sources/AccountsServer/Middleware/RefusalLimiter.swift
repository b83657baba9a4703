import AppleIdentity
import Foundation
import Synchronization

/// Makes a flood of bad requests cheap: whoever is refused too often waits before anything else is looked at.
///
/// It protects this process alone, and so it is neither stored nor shared; guesses at passwords and codes are
/// counted in the store. Only refusals count, so that a network of many people who sign in is never made to wait.
/// It is a token bucket, kept as the time at which the bucket is full again.
///
/// Source: [Token bucket](https://www.rfc-editor.org/rfc/rfc2697)
final class RefusalLimiter: Sendable {
    /// Refusals of one network at once.
    static let burst = 60
    /// Refusals of one network that go on for ever, a second.
    static let perSecond = 10.0
    /// Buckets; more networks than that share them, and the memory stays at eight bytes for each.
    static let bucketCount = 32_768

    private let fullAt: Mutex<[TimeInterval]>
    private let time: TimeSource

    init(time: TimeSource) {
        self.time = time
        fullAt = Mutex(Array(repeating: 0, count: Self.bucketCount))
    }

    /// How long a network has to wait before its next request is looked at; returns whole seconds, or nil when it
    /// need not wait.
    func wait(_ network: String) -> Int? {
        let now = time.now.timeIntervalSince1970
        let missing = fullAt.withLock { missingSeconds($0[Self.index(network)], now) }
        let wait = missing + 1 / Self.perSecond - Self.capacity
        // Half a refusal is forgiven, so that rounding of times never makes anybody wait.
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

    /// Seconds in which an empty bucket is full again.
    private static let capacity = Double(burst) / perSecond

    /// A time beyond that was written before the clock was set back, and must lock nobody out until then.
    private func missingSeconds(_ fullAt: TimeInterval, _ now: TimeInterval) -> TimeInterval {
        let missing = fullAt - now
        return missing > Self.capacity + 1 ? 0 : max(missing, 0)
    }

    /// Swift's hashes have a seed of their own in each process: nobody can pick a network that shares a bucket.
    private static func index(_ network: String) -> Int {
        var hasher = Hasher()
        hasher.combine(network)
        return Int(UInt(bitPattern: hasher.finalize()) % UInt(bucketCount))
    }
}
