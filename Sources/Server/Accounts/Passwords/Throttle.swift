import Crypto
import Foundation
import SignInWithApple

/// How many attempts are allowed, and how long a client waits after them.
package struct ThrottlePolicy: Hashable, Sendable {
    /// The number of attempts without a wait.
    package fileprivate(set) var freeCount: Int
    /// The first wait in seconds; each further one is twice as long.
    package let firstWait: TimeInterval
    /// The maximum wait in seconds, which limits how long a stranger can lock a user out.
    package let maximumWait: TimeInterval
    /// Seconds after the first attempt when the count expires, unless a wait lasts longer.
    package var memory: TimeInterval = 86_400

    /// Password attempts for a username, from all clients: at most about 300 per day.
    package static let passwordByAccount = Self(freeCount: 5, firstWait: 1, maximumWait: 5 * 60)
    /// Password attempts from an IP address, for all usernames.
    package static let passwordByAddress = Self(freeCount: 30, firstWait: 1, maximumWait: 15 * 60)
    /// Failed exchanges of app codes from an IP address.
    package static let appCodeByAddress = ThrottlePolicy(
        freeCount: 30,
        firstWait: 1,
        maximumWait: 60,
        memory: 3600
    )
    /// Requested emails of an account, username or recipient.
    package static let mailByAccount = Self(freeCount: 3, firstWait: 60, maximumWait: 3600)
    /// Requested emails, and created accounts, from an IP address.
    package static let mailByAddress = Self(freeCount: 20, firstWait: 60, maximumWait: 3600)
}

/// The attempts that are counted together, and their policy.
package struct ThrottleUse: Hashable, Sendable {
    /// The keyed hash of a username, email address or IP address, which reveals none of them.
    package let key: SecretHash
    package let policy: ThrottlePolicy

    /// Returns the count after one more attempt, with the end of the wait before the next one.
    package func counting(_ known: Throttle?, now: Date) -> Throttle {
        let known = known.flatMap { remembered($0, now: now) }
        let count = 1 + (known?.attemptCount ?? 0)
        // A larger exponent exceeds the maximum anyway; this keeps the power finite.
        let exponent = min(count - policy.freeCount, 40)
        let wait =
            exponent < 0 ? 0 : min(policy.firstWait * pow(2, Double(exponent)), policy.maximumWait)
        let blockedUntil = now.addingTimeInterval(wait)
        // From the first attempt: in a large network, a day without any attempt never comes.
        let end = known?.expiresAt ?? now.addingTimeInterval(policy.memory)
        return Throttle(
            key: key,
            attemptCount: count,
            blockedUntil: blockedUntil,
            expiresAt: max(end, blockedUntil)
        )
    }

    /// The count without the latest attempt, which was successful; nil when the count has expired.
    package func returning(_ known: Throttle?, now: Date) -> Throttle? {
        known.flatMap { remembered($0, now: now) }.map { known in
            Throttle(
                key: key,
                attemptCount: max(known.attemptCount - 1, 0),
                blockedUntil: min(known.blockedUntil, now),
                expiresAt: known.expiresAt
            )
        }
    }

    /// Seconds by which the clocks of two replicas may differ before they drop each other's counts.
    static let maximumClockDifference: TimeInterval = 3600

    /// Returns a count that still counts, or nil: a count of the far future was written before the clock was set back
    /// and must lock no user out; one of the near future is from a replica whose clock is ahead.
    func remembered(_ known: Throttle, now: Date) -> Throttle? {
        let wait = known.blockedUntil.timeIntervalSince(now)
        let isOfNow = wait <= policy.maximumWait + Self.maximumClockDifference
        return known.expiresAt > now && isOfNow ? known : nil
    }

    /// Whether the next attempt waits: the attempts without a wait are used up, whatever the clock says.
    func waits(after known: Throttle) -> Bool {
        known.attemptCount >= policy.freeCount
    }
}

/// A count of attempts.
package struct Throttle: Hashable, Sendable {
    /// The keyed hash of a username, email address or IP address.
    package internal(set) var key: SecretHash
    /// The number of attempts.
    package internal(set) var attemptCount: Int
    /// Until when the next attempt is refused without a check.
    package internal(set) var blockedUntil: Date
    /// When the count expires.
    package internal(set) var expiresAt: Date

    /// The longest wait of some counts in whole seconds; nil for no wait.
    static func wait(_ throttles: [Throttle], now: Date) -> Int? {
        let wait = throttles.map { $0.blockedUntil.timeIntervalSince(now) }.max() ?? 0
        return wait > 0 ? Int(wait.rounded(.up)) : nil
    }
}

/// Derives the keys of throttles: hashes that cannot be guessed without the encryption key.
struct ThrottleKeys: Sendable {
    private let key: SymmetricKey?

    init(_ sealer: TokenSealer) {
        key = sealer.derivedKeys(for: "sign-in-with-apple throttle 1").first
    }

    /// The count of a client's IP address or network; this machine has the attempts of several clients.
    func use(
        _ purpose: String,
        of client: ClientDescription,
        _ policy: ThrottlePolicy
    ) -> ThrottleUse {
        var policy = policy
        if client.isThisMachine { policy.freeCount *= ClientDescription.localClientCount }
        return ThrottleUse(key: key(purpose, client.address), policy: policy)
    }

    func key(_ purpose: String, _ value: String) -> SecretHash {
        guard let key else { return SecretHash(ofParts: [purpose, value]) }
        let text = Data("\(purpose):\(value)".utf8)
        return SecretHash(bytes: Data(HMAC<SHA256>.authenticationCode(for: text, using: key)))
    }
}
