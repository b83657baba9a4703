import AppleIdentity
import Foundation

/// An entry of the outbox: one refresh token that Apple has yet to revoke.
public struct Revocation: Hashable, Sendable {
    /// The entry's name.
    public let id: RevocationID
    /// The account it belonged to; the account itself is gone.
    public let accountID: AccountID
    /// The client the token was issued to.
    public let clientID: ClientID
    /// The token, sealed for that account and client.
    public let sealedToken: String
    /// When the account was deleted.
    public let createdAt: Date
    /// How many attempts have been made.
    public let attemptCount: Int

    /// Makes an entry's description.
    public init(
        id: RevocationID,
        accountID: AccountID,
        clientID: ClientID,
        sealedToken: String,
        createdAt: Date,
        attemptCount: Int
    ) {
        self.id = id
        self.accountID = accountID
        self.clientID = clientID
        self.sealedToken = sealedToken
        self.createdAt = createdAt
        self.attemptCount = attemptCount
    }
}

/// One worker's overrides for entries of the outbox that are due.
public struct RevocationClaim: Hashable, Sendable {
    /// The worker's own name.
    public let worker: String
    /// How many entries it can take.
    public let maximumCount: Int
    /// The time.
    public let now: Date
    /// Until when nobody else may take them.
    public let until: Date

    /// Makes a claim.
    public init(worker: String, maximumCount: Int, now: Date, until: Date) {
        self.worker = worker
        self.maximumCount = maximumCount
        self.now = now
        self.until = until
    }
}

/// How an attempt to revoke ended.
public enum RevocationResult: Hashable, Sendable {
    /// Apple has revoked the token; the entry goes.
    case revoked
    /// Apple could not be reached or asked; the entry waits until then.
    case failed(code: String, nextAttemptAt: Date)
    /// Asking again changes nothing before a person has looked; the entry stays, visible.
    case refused(code: String)
}

/// What is left in the outbox.
public struct RevocationBacklog: Hashable, Sendable {
    /// How many entries wait for an attempt.
    public let waitingCount: Int
    /// How many entries were refused for good and wait for a person.
    public let refusedCount: Int
    /// When the oldest entry was made.
    public let oldestCreatedAt: Date?
    /// The errors that stand on the entries, and on how many each.
    public let errorCounts: [String: Int]

    /// Makes a count.
    public init(
        waitingCount: Int,
        refusedCount: Int,
        oldestCreatedAt: Date?,
        errorCounts: [String: Int]
    ) {
        self.waitingCount = waitingCount
        self.refusedCount = refusedCount
        self.oldestCreatedAt = oldestCreatedAt
        self.errorCounts = errorCounts
    }
}

/// When the outbox is worked on.
public struct RevocationSchedule: Hashable, Sendable {
    /// Seconds before the second attempt; each further wait is twice as long.
    public var firstDelay: TimeInterval = 1
    /// Seconds that a wait never exceeds.
    public var maximumDelay: TimeInterval = 300
    /// Seconds between two looks at the outbox.
    public var pollInterval: TimeInterval = 2
    /// Seconds after which entries that were refused get another attempt.
    public var refusedInterval: TimeInterval = 6 * 3600
    /// Seconds for which a worker keeps entries to itself; far longer than an attempt takes.
    public var claimDuration: TimeInterval = 120
    /// How many entries are worked on at once.
    public var maximumBatchCount = 8

    /// Makes a schedule with its usual values.
    public init() {}

    /// Computes the wait after an attempt that failed.
    ///
    /// - Parameter attemptCount: how many attempts have failed, this one included.
    /// - Returns: seconds.
    public func delay(afterAttempts attemptCount: Int) -> TimeInterval {
        // Beyond this exponent the limit holds anyway, and the power stays finite.
        let exponent = min(max(attemptCount - 1, 0), 60)
        return min(firstDelay * pow(2, Double(exponent)), maximumDelay)
    }
}
