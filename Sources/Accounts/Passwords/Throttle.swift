import Crypto
import Foundation
import SignInWithApple

/// How often something may be tried, and how long one waits then.
package struct ThrottlePolicy: Hashable, Sendable {
    /// Attempts without any wait.
    package let freeCount: Int
    /// Seconds of the first wait; each further one is twice as long.
    package let firstWait: TimeInterval
    /// Seconds that a wait never exceeds, so that a stranger can't lock anybody out for long.
    package let maximumWait: TimeInterval
    /// Seconds after the first attempt when all is forgotten, once the wait is over too.
    package let memory: TimeInterval

    package init(
        freeCount: Int,
        firstWait: TimeInterval,
        maximumWait: TimeInterval,
        memory: TimeInterval = 86_400
    ) {
        self.freeCount = freeCount
        self.firstWait = firstWait
        self.maximumWait = maximumWait
        self.memory = memory
    }

    /// Passwords tried for one name, whoever tries: about 300 a day at most.
    package static let passwordByAccount = Self(freeCount: 5, firstWait: 1, maximumWait: 5 * 60)
    /// Passwords tried from one address, for whatever names.
    package static let passwordByAddress = Self(freeCount: 30, firstWait: 1, maximumWait: 15 * 60)
    /// Codes of apps that opened nothing, from one address.
    package static let appCodeByAddress = ThrottlePolicy(
        freeCount: 30,
        firstWait: 1,
        maximumWait: 60,
        memory: 3600
    )
    /// Mails asked for by one name.
    package static let mailByAccount = Self(freeCount: 3, firstWait: 60, maximumWait: 3600)
    /// Mails asked for, and accounts made, from one address.
    package static let mailByAddress = Self(freeCount: 20, firstWait: 60, maximumWait: 3600)
}

/// One thing that is throttled: whose attempts are counted together, and how.
package struct ThrottleUse: Hashable, Sendable {
    /// The keyed hash of a name or an address, which tells neither.
    package let key: SecretHash
    /// How often.
    package let policy: ThrottlePolicy

    package init(key: SecretHash, policy: ThrottlePolicy) {
        self.key = key
        self.policy = policy
    }

    /// The count after one more attempt; returns the count, and until when the next attempt waits.
    package func counting(_ known: Throttle?, now: Date) -> Throttle {
        let known = known.flatMap { remembered($0, now: now) }
        let count = 1 + (known?.attemptCount ?? 0)
        // Beyond this exponent the limit holds anyway, and the power stays finite.
        let exponent = min(count - policy.freeCount, 40)
        let wait =
            exponent < 0 ? 0 : min(policy.firstWait * pow(2, Double(exponent)), policy.maximumWait)
        let blockedUntil = now.addingTimeInterval(wait)
        // A network of many people is never without an attempt for a day: what ends has to have a beginning.
        let end = known?.expiresAt ?? now.addingTimeInterval(policy.memory)
        return Throttle(
            key: key,
            attemptCount: count,
            blockedUntil: blockedUntil,
            expiresAt: max(end, blockedUntil)
        )
    }

    /// The count without the latest attempt, which turned out to be no guess; nil when it is forgotten anyway.
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

    /// Seconds by which the clocks of two servers on one database may differ before they forget each other's counts.
    static let maximumClockDifference: TimeInterval = 3600

    /// A count of the far future was written before the clock was set back, and must lock nobody out until then; one
    /// of the near future is another server's, whose clock is ahead.
    func remembered(_ known: Throttle, now: Date) -> Throttle? {
        let wait = known.blockedUntil.timeIntervalSince(now)
        let isOfNow = wait <= policy.maximumWait + Self.maximumClockDifference
        return known.expiresAt > now && isOfNow ? known : nil
    }

    /// Whether the next attempt has to wait after so many: the free ones end when they were made, by whatever clock.
    func waits(after known: Throttle) -> Bool {
        known.attemptCount >= policy.freeCount
    }
}

/// Attempts that were counted together.
package struct Throttle: Hashable, Sendable {
    /// The keyed hash of a name or an address.
    package let key: SecretHash
    /// How many attempts there were.
    package let attemptCount: Int
    /// Until when the next one is refused unseen.
    package let blockedUntil: Date
    /// When all is forgotten.
    package let expiresAt: Date

    package init(key: SecretHash, attemptCount: Int, blockedUntil: Date, expiresAt: Date) {
        self.key = key
        self.attemptCount = attemptCount
        self.blockedUntil = blockedUntil.inWholeMicroseconds
        self.expiresAt = expiresAt.inWholeMicroseconds
    }

    /// The longest wait that any of some counts asks for; returns whole seconds, or nil when there is nothing to wait
    /// for.
    static func wait(_ throttles: [Throttle], now: Date) -> Int? {
        let wait = throttles.map { $0.blockedUntil.timeIntervalSince(now) }.max() ?? 0
        return wait > 0 ? Int(wait.rounded(.up)) : nil
    }
}

/// Makes the keys of throttles: hashes that only who has the sealing key can guess at.
struct ThrottleKeys: Sendable {
    private let key: SymmetricKey?

    init(_ sealer: TokenSealer) {
        key = sealer.derivedKeys(for: "sign-in-with-apple throttle 1").first
    }

    func key(_ purpose: String, _ value: String) -> SecretHash {
        guard let key else { return SecretHash(ofParts: [purpose, value]) }
        let text = Data("\(purpose):\(value)".utf8)
        return SecretHash(bytes: Data(HMAC<SHA256>.authenticationCode(for: text, using: key)))
    }
}
