import AppleIdentity
import Foundation
import SignInWithApple

/// A task that the outbox performs at least once, outside of the store.
package enum OutboxTask: Hashable, Sendable {
    /// Revokes, at Apple, a refresh token that no account needs any more.
    case revocation(RefreshToken)
    /// Sends a mail to a user.
    case mail(SealedMail)

    /// The kind of a task; each kind is processed on its own.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        /// Revokes a refresh token at Apple.
        case revocation
        /// Sends a mail to a user.
        case mail
        /// Sends a mail that a user waits for, such as a link; it never waits behind other mail.
        case awaitedMail = "awaited_mail"

        /// Whether a success shows that the other entries of the kind can succeed, too.
        var sharesCause: Bool {
            switch self {
            case .revocation: true
            // One recipient's mail server says nothing about another's.
            case .mail, .awaitedMail: false
            }
        }
    }

    package var kind: Kind {
        switch self {
        case .revocation: .revocation
        case .mail(let mail): mail.isAwaited ? .awaitedMail : .mail
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
    /// The task without its kind, as a store keeps it until the entry is deleted.
    package func payload() throws(AccountStoreError) -> String {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        do {
            let data =
                switch self {
                case .revocation(let token): try encoder.encode(token)
                case .mail(let mail): try encoder.encode(mail)
                }
            return String(decoding: data, as: UTF8.self)
        } catch {
            throw AccountStoreError(.failed, hint: "an outbox entry can't be encoded")
        }
    }

    /// Restores a task from a store.
    package init(kind: Kind, payload: String) throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let data = Data(payload.utf8)
        do {
            switch kind {
            case .revocation: self = .revocation(try decoder.decode(RefreshToken.self, from: data))
            case .mail, .awaitedMail:
                var mail = try decoder.decode(SealedMail.self, from: data)
                mail.isAwaited = kind == .awaitedMail
                self = .mail(mail)
            }
        } catch {
            throw AccountStoreError(
                .failed,
                hint: "an outbox entry can't be read: \(kind.rawValue)"
            )
        }
    }
}

/// An outbox entry: a task outside of the store that is not done yet.
package struct OutboxEntry: Hashable, Sendable {
    package let id: OutboxID
    package let task: OutboxTask
    /// The hash of the user at Apple, or of the account, that it is about; both may be deleted.
    package let person: SecretHash?
    /// The entry to perform first, such as a mail through the relay that this revocation may close.
    package var waitsFor: OutboxID?
    /// When it was queued.
    package let createdAt: Date
    /// The number of attempts so far.
    package var attemptCount = 0
}

/// A worker's claim to due outbox entries of one kind.
package struct OutboxClaim: Hashable, Sendable {
    /// The maximum number of seconds for which an entry waits for another one.
    package static let maximumWait: TimeInterval = 3_600

    /// The worker's unique name.
    package let worker: String
    package let kind: OutboxTask.Kind
    /// The maximum number of entries to claim.
    package let maximumCount: Int
    package let now: Date
    /// When the claim expires.
    package let until: Date
    /// Entries queued before this time no longer wait for another entry.
    package var waitEnd: Date { now.addingTimeInterval(-Self.maximumWait) }
}

/// The result of an attempt.
package enum OutboxResult: Hashable, Sendable {
    /// The task is done; the entry is deleted with its payload.
    case done
    /// The task expired before it was done; the entry is deleted, too.
    case expired
    /// The attempt failed; the next one is due at that time.
    case failed(code: String, nextAttemptAt: Date)
    /// A retry would be refused again before an operator acts; the entry is kept.
    case refused(code: String)
}

/// The entries that are left in the outbox.
package struct OutboxBacklog: Hashable, Sendable {
    /// The counts of one kind.
    package struct Count: Hashable, Sendable {
        /// The number of entries that wait for an attempt.
        package let waitingCount: Int
        /// The number of refused entries, which wait for an operator.
        package let refusedCount: Int
        /// The time at which the oldest entry was queued.
        package let oldestCreatedAt: Date?
    }

    /// The counts by name of the kind, because a newer program may have queued kinds that are unknown here.
    package let counts: [String: Count]
    /// The error codes of the entries, and the number of entries with each.
    package let errorCounts: [String: Int]

    /// The number of entries that wait for an attempt.
    package var waitingCount: Int { counts.values.reduce(0) { $0 + $1.waitingCount } }

    /// The number of refused entries, which wait for an operator.
    package var refusedCount: Int { counts.values.reduce(0) { $0 + $1.refusedCount } }

    /// The time at which the oldest entry was queued.
    package var oldestCreatedAt: Date? { counts.values.compactMap(\.oldestCreatedAt).min() }
}

/// The intervals and limits of the outbox.
package struct OutboxSchedule: Hashable, Sendable {
    /// The delays between the attempts of an entry.
    package var attempts = AttemptSchedule.revocation
    /// Seconds between two reads of the outbox.
    package var pollInterval: TimeInterval = 2
    /// Seconds for which a claim is valid; far longer than an attempt takes.
    package var claimDuration: TimeInterval = 120
    /// The maximum number of entries of one kind that are processed at once.
    package var maximumConcurrency = 4

    /// Creates a schedule with default values.
    package init() {}

    /// Returns the delay after a failed attempt.
    package func delay(afterAttempts attemptCount: Int, randomUnit: Double) -> TimeInterval {
        attempts.delay(afterAttempts: attemptCount, randomUnit: randomUnit)
    }
}
