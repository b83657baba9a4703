import AppleIdentity
import Foundation
import Synchronization

/// Limits floods of bad requests: a network that is refused too often must wait.
///
/// A request begins only while its network has refusals left. The requests that have not ended are limited apart: each
/// may still be refused, so parallel requests cannot exceed both limits together, and many users who sign in at once do
/// not wait.
/// It protects only this process, so it is neither stored nor shared; the store counts guesses at
/// passwords and codes. It is a token bucket, stored as the time at which the bucket is full again.
///
/// Source: [Token bucket](https://www.rfc-editor.org/rfc/rfc2697)
final class RefusalLimiter: Sendable {
    /// The number of refusals that a network may get at once.
    static let burst = 60
    /// The number of refusals per second that a network may get without a limit in time.
    static let perSecond = 10.0
    /// The number of requests of a network that are handled at once; more than passwords may wait.
    static let maximumUnfinishedCount = 160
    /// The number of buckets; more networks share them, and each uses sixteen bytes.
    static let bucketCount = 32_768

    private struct Bucket {
        var fullAt: TimeInterval = 0
        var unfinishedCount = 0
    }

    private let buckets = Mutex(Array(repeating: Bucket(), count: bucketCount))
    private let time: TimeSource

    init(time: TimeSource) { self.time = time }

    /// Begins a request; returns the whole seconds to wait if the network has used up a limit.
    func begin(_ network: ClientNetwork) -> Int? {
        change(network) { missing, unfinishedCount in
            if let seconds = Self.wait(network, missing) { return seconds }
            guard unfinishedCount < Self.maximumUnfinishedCount * network.clientCount else {
                return 1
            }
            unfinishedCount += 1
            return nil
        }
    }

    /// Ends a request that began.
    func end(_ network: ClientNetwork, isRefused: Bool) {
        change(network) { missing, unfinishedCount in
            unfinishedCount -= 1
            if isRefused { missing += Self.cost(network) }
        }
    }

    /// Counts a refusal before a request asks Apple, so not even parallel requests exceed the limit; returns the whole
    /// seconds to wait if none is left.
    func reserve(_ network: ClientNetwork) -> Int? {
        change(network) { missing, _ in
            let seconds = Self.wait(network, missing)
            if seconds == nil { missing += Self.cost(network) }
            return seconds
        }
    }

    /// Gives back the reservation of a request that Apple did not refuse.
    func giveBack(_ network: ClientNetwork) {
        change(network) { missing, _ in missing -= Self.cost(network) }
    }

    private static func wait(_ network: ClientNetwork, _ missing: TimeInterval) -> Int? {
        let wait = missing + cost(network) - capacity
        // Half a refusal is allowed, because rounded times must not make a network wait.
        return wait <= cost(network) / 2 ? nil : max(Int(wait.rounded(.up)), 1)
    }

    /// The seconds in which an empty bucket fills.
    private static let capacity = Double(burst) / perSecond

    /// The seconds in which a network gets one more refusal.
    private static func cost(_ network: ClientNetwork) -> TimeInterval {
        1 / (perSecond * Double(network.clientCount))
    }

    /// The seconds for which the refusals of all unfinished requests can make a network wait.
    private static let maximumMissing = capacity + Double(maximumUnfinishedCount) / perSecond

    /// Changes the seconds until a network's bucket is full, and its unfinished requests.
    private func change<Answer: Sendable>(
        _ network: ClientNetwork,
        _ body: (_ missing: inout TimeInterval, _ unfinishedCount: inout Int) -> Answer
    ) -> Answer {
        let now = time.now.timeIntervalSince1970
        let index = Self.index(network)
        return buckets.withLock { buckets in
            var missing = max(buckets[index].fullAt - now, 0)
            // Such a time was written before the clock was set back: no network must wait for it.
            if missing > Self.maximumMissing + 1 { missing = 0 }
            defer { buckets[index].fullAt = now + missing }
            return body(&missing, &buckets[index].unfinishedCount)
        }
    }

    /// Swift's hashes are seeded in each process, so an attacker cannot choose a shared bucket.
    private static func index(_ network: ClientNetwork) -> Int {
        var hasher = Hasher()
        hasher.combine(network)
        return Int(UInt(bitPattern: hasher.finalize()) % UInt(bucketCount))
    }
}
