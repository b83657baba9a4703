import AppleIdentity
import Foundation

/// What the outbox does, at least once, outside of the store.
package enum OutboxTask: Hashable, Sendable {
    /// Apple has to revoke a refresh token whose account is gone.
    case revocation(RefreshToken)
    /// A person has to be told something.
    case mail(SealedMail)

    /// What a task is, for who can do only some kinds.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        /// Revokes a refresh token at Apple.
        case revocation
        /// Tells a person something by mail.
        case mail

        /// Whether one entry that is done says that the others of its kind can be.
        var sharesCause: Bool {
            switch self {
            case .revocation: true
            // One address that takes mail says nothing of another.
            case .mail: false
            }
        }
    }

    /// What the task is.
    package var kind: Kind {
        switch self {
        case .revocation: .revocation
        case .mail: .mail
        }
    }

    package var refreshToken: RefreshToken? {
        switch self {
        case .revocation(let token): token
        case .mail: nil
        }
    }
}

extension OutboxTask {
    /// The task without its kind, as a store keeps it; gone with the entry.
    package func payload() throws -> String {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        let data =
            switch self {
            case .revocation(let token): try encoder.encode(token)
            case .mail(let mail): try encoder.encode(mail)
            }
        return String(decoding: data, as: UTF8.self)
    }

    /// Reads a task that a store kept.
    package init(kind: Kind, payload: String) throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let data = Data(payload.utf8)
        do {
            switch kind {
            case .revocation: self = .revocation(try decoder.decode(RefreshToken.self, from: data))
            case .mail: self = .mail(try decoder.decode(SealedMail.self, from: data))
            }
        } catch {
            throw AccountStoreError(
                .failed,
                hint: "an outbox entry can't be read: \(kind.rawValue)"
            )
        }
    }
}

/// An entry of the outbox: something that has to happen outside, and has not yet.
package struct OutboxEntry: Hashable, Sendable {
    /// The entry's name.
    package let id: OutboxID
    /// What has to happen.
    package let task: OutboxTask
    /// The hash of the person at Apple, or of the account, that it is about; both may be gone.
    package let person: SecretHash?
    /// The entry that is to be done before, as a notice that needs what this one ends.
    package let waitsFor: OutboxID?
    /// When it was queued.
    package let createdAt: Date
    /// How many attempts have been made.
    package let attemptCount: Int

    package init(
        id: OutboxID,
        task: OutboxTask,
        person: SecretHash?,
        waitsFor: OutboxID? = nil,
        createdAt: Date,
        attemptCount: Int = 0
    ) {
        self.id = id
        self.task = task
        self.person = person
        self.waitsFor = waitsFor
        self.createdAt = createdAt
        self.attemptCount = attemptCount
    }
}

/// One worker's claim to entries of one kind in the outbox that are due.
package struct OutboxClaim: Hashable, Sendable {
    /// Seconds for which an entry waits for another one at most.
    package static let maximumWait: TimeInterval = 60

    /// The worker's own name.
    package let worker: String
    /// What the entries do.
    package let kind: OutboxTask.Kind
    /// How many entries it can take.
    package let maximumCount: Int
    package let now: Date
    /// Until when nobody else may take them.
    package let until: Date
    /// What was queued by then has waited long enough for another entry.
    package var waitEnd: Date { now.addingTimeInterval(-Self.maximumWait) }

    package init(worker: String, kind: OutboxTask.Kind, maximumCount: Int, now: Date, until: Date) {
        self.worker = worker
        self.kind = kind
        self.maximumCount = maximumCount
        self.now = now
        self.until = until
    }
}

/// How an attempt ended.
package enum OutboxResult: Hashable, Sendable {
    /// It has happened; the entry goes, with its payload.
    case done
    /// It has become pointless before it happened; the entry goes, too.
    case expired
    /// It could not be tried or did not work; the entry waits until then.
    case failed(code: String, nextAttemptAt: Date)
    /// Trying again changes nothing before a person has looked; the entry stays, visible.
    case refused(code: String)
}

/// What is left in the outbox.
package struct OutboxBacklog: Hashable, Sendable {
    /// What is left of one kind.
    package struct Count: Hashable, Sendable {
        /// How many entries wait for an attempt.
        package let waitingCount: Int
        /// How many entries were refused for good and wait for a person.
        package let refusedCount: Int
        /// When the oldest entry was queued.
        package let oldestCreatedAt: Date?

        package init(waitingCount: Int, refusedCount: Int, oldestCreatedAt: Date?) {
            self.waitingCount = waitingCount
            self.refusedCount = refusedCount
            self.oldestCreatedAt = oldestCreatedAt
        }
    }

    /// What is left of each kind, by its name: a newer program may have queued kinds that are unknown here.
    package let counts: [String: Count]
    /// The errors that stand on the entries, and on how many each.
    package let errorCounts: [String: Int]

    package init(counts: [String: Count], errorCounts: [String: Int]) {
        self.counts = counts
        self.errorCounts = errorCounts
    }

    /// How many entries wait for an attempt.
    package var waitingCount: Int { counts.values.reduce(0) { $0 + $1.waitingCount } }

    /// How many entries were refused for good and wait for a person.
    package var refusedCount: Int { counts.values.reduce(0) { $0 + $1.refusedCount } }

    /// When the oldest entry was queued.
    package var oldestCreatedAt: Date? { counts.values.compactMap(\.oldestCreatedAt).min() }
}

/// When the outbox is worked on.
package struct OutboxSchedule: Hashable, Sendable {
    /// Seconds before the second attempt; each further wait is twice as long.
    package var firstDelay: TimeInterval = 1
    /// Seconds that a wait never exceeds.
    package var maximumDelay: TimeInterval = 300
    /// How much of a wait is left to chance, so that entries that failed together do not come back together.
    package var jitter = 0.25
    /// Seconds between two looks at the outbox.
    package var pollInterval: TimeInterval = 2
    /// Seconds after which entries that were refused get another attempt.
    package var refusedInterval: TimeInterval = 6 * 3600
    /// Seconds for which a worker keeps entries to itself; far longer than an attempt takes.
    package var claimDuration: TimeInterval = 120
    /// How many entries of one kind are worked on at once.
    package var maximumBatchCount = 8

    /// Makes a schedule with its usual values.
    package init() {}

    /// Computes the wait after an attempt that failed.
    package func delay(afterAttempts attemptCount: Int, randomUnit: Double) -> TimeInterval {
        // Beyond this exponent the limit holds anyway, and the power stays finite.
        let exponent = min(max(attemptCount - 1, 0), 60)
        let delay = min(firstDelay * pow(2, Double(exponent)), maximumDelay)
        return delay * (1 - jitter * randomUnit)
    }
}
