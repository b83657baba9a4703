import AppleIdentity
import Foundation
import Synchronization

/// Limits floods of bad requests: a network that is refused too often must wait.
///
/// Each request reserves a refusal before it is handled and gives it back if it is not refused:
/// parallel requests cannot exceed the limit.
/// It protects only this process, so it is neither stored nor shared; the store counts guesses at
/// passwords and codes. Successful requests are given back, so many users who sign in do not wait.
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

    /// Reserves a refusal for a request; returns the whole seconds to wait if none is left.
    func reserve(_ network: ClientNetwork) -> Int? {
        let cost = Self.cost(network)
        return change(network) { missing in
            let wait = missing + cost - Self.capacity
            // Half a refusal is allowed, because rounded times must not make a network wait.
            guard wait <= cost / 2 else { return max(Int(wait.rounded(.up)), 1) }
            missing += cost
            return nil
        }
    }

    /// Counts the refusal of a request whose own reservation is given back.
    func count(_ network: ClientNetwork) {
        change(network) { $0 += Self.cost(network) }
    }

    /// Gives back the reservation of a request that was not refused.
    func giveBack(_ network: ClientNetwork) {
        change(network) { $0 -= Self.cost(network) }
    }

    /// The seconds in which an empty bucket fills.
    private static let capacity = Double(burst) / perSecond

    /// The seconds in which a network gets one more refusal.
    private static func cost(_ network: ClientNetwork) -> TimeInterval {
        1 / (perSecond * Double(network.clientCount))
    }

    /// Changes the seconds until a network's bucket is full.
    private func change<Answer: Sendable>(
        _ network: ClientNetwork,
        _ body: (inout TimeInterval) -> Answer
    ) -> Answer {
        let now = time.now.timeIntervalSince1970
        let index = Self.index(network)
        return fullAt.withLock { fullAt in
            var missing = max(fullAt[index] - now, 0)
            // Such a time was written before the clock was set back: no network must wait for it.
            if missing > 2 * Self.capacity + 1 { missing = 0 }
            defer { fullAt[index] = now + missing }
            return body(&missing)
        }
    }

    /// Swift's hashes are seeded in each process, so an attacker cannot choose a shared bucket.
    private static func index(_ network: ClientNetwork) -> Int {
        var hasher = Hasher()
        hasher.combine(network)
        return Int(UInt(bitPattern: hasher.finalize()) % UInt(bucketCount))
    }
}
