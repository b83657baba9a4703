import Accounts
import AppleIdentity
import Foundation
import Synchronization

/// Limits how often requests are made in this process: a token bucket for each network, account or service.
///
/// It protects only this process, so it is not shared. A bucket is stored as the time at which it is full again.
///
/// Source: [Token bucket](https://www.rfc-editor.org/rfc/rfc2697)
final class TokenBuckets: Sendable {
    /// The number of buckets; more keys share them, and each uses eight bytes.
    private static let count = 32_768

    private let fullAt: Mutex<[TimeInterval]>
    private let time: TimeSource
    private let perSecond: Double
    /// The seconds in which an empty bucket fills.
    private let capacity: TimeInterval

    init(burst: Int, perSecond: Double, time: TimeSource) {
        self.time = time
        self.perSecond = perSecond
        capacity = Double(burst) / perSecond
        fullAt = Mutex(Array(repeating: 0, count: Self.count))
    }

    /// Takes a request from a bucket; throws `too_many_attempts` if it is empty.
    func admit(_ key: some Hashable) throws(AccountsError) {
        if let seconds = spend(key) { throw .tooManyRequests(seconds: seconds) }
    }

    /// Takes a request of a key that counts as so many clients; returns the whole seconds to wait if its bucket is empty.
    func spend(_ key: some Hashable, clientCount: Int = 1) -> Int? {
        change(key) { missing in
            let cost = 1 / (perSecond * Double(clientCount))
            let seconds = wait(missing, cost)
            if seconds == nil { missing += cost }
            return seconds
        }
    }

    /// Returns the whole seconds until a key's bucket has a request; nil if it has one.
    func wait(_ key: some Hashable, clientCount: Int) -> Int? {
        change(key) { wait($0, 1 / (perSecond * Double(clientCount))) }
    }

    private func wait(_ missing: TimeInterval, _ cost: TimeInterval) -> Int? {
        let wait = missing + cost - capacity
        // Half a request is allowed, because rounded times must not make a client wait.
        return wait <= cost / 2 ? nil : max(Int(wait.rounded(.up)), 1)
    }

    /// Takes a number of requests without a limit; a negative number gives them back.
    func add(_ requestCount: Double, to key: some Hashable, clientCount: Int) {
        change(key) { $0 += requestCount / (perSecond * Double(clientCount)) }
    }

    /// Changes the seconds until a bucket is full.
    ///
    /// Swift's hashes are seeded in each process, so an attacker cannot choose a shared bucket.
    private func change<Answer: Sendable>(
        _ key: some Hashable,
        _ body: (inout TimeInterval) -> Answer
    ) -> Answer {
        let now = time.now.timeIntervalSince1970
        let index = Int(UInt(bitPattern: key.hashValue) % UInt(Self.count))
        return fullAt.withLock { fullAt in
            var missing = max(fullAt[index] - now, 0)
            // Requests without a limit may owe three times the capacity. A later time was written before the clock was
            // set back: no client must wait for it.
            if missing > 4 * capacity + 1 { missing = 0 }
            defer { fullAt[index] = now + missing }
            return body(&missing)
        }
    }
}
