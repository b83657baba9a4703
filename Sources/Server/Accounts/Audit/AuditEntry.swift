import AppleIdentity
import Foundation

/// An entry of the audit log: an action with its actor, time, IP address and client.
///
/// It has identifiers but no user's name, no email address, no password and no token. Action and actor are strings,
/// because this program also reads the entries of a newer one.
package struct AuditEntry: Hashable, Sendable {
    /// The entry's identifier, which sorts by time.
    package internal(set) var id: AuditID
    package internal(set) var occurredAt: Date
    /// A raw value of `AuditAction`, or an action of a newer program.
    package internal(set) var action: String
    /// A raw value of `AuditActor`, or an actor of a newer program.
    package internal(set) var actor: String
    /// The administrator's user name in the operating system.
    package internal(set) var administrator: String?
    /// The account that the action concerns.
    package internal(set) var account: AccountID?
    /// The session that began, ended, or requested the action.
    package internal(set) var session: SessionID?
    /// The client's IP address.
    package internal(set) var address: String?
    /// The app's identifier at Apple, or else the requesting program.
    package internal(set) var client: String?
    /// An additional word, such as how the user signed in or the code of a refusal.
    package internal(set) var detail: String?

    /// The entry about skipped refusals.
    static func skipped(_ count: Int, now: Date) -> AuditEntry {
        AuditContext(actor: .server, now: now)
            .entry(.refusalsSkipped, of: nil, detail: "\(count)")
    }

    /// The number in the detail; 0 when the detail is not a number.
    package var count: Int { detail.flatMap { Int($0) } ?? 0 }
}

/// The identifier of an audit log entry.
package struct AuditID: TextIdentifier {
    /// The identifier as a string.
    package let rawValue: String

    /// Creates the identifier from a string.
    package init(rawValue: String) { self.rawValue = rawValue }
}

extension AuditID {
    package static func make(at now: Date) -> AuditID {
        AuditID(TimeOrderedText.make(at: now))
    }

    /// The identifier that sorts before all entries made at that time or later.
    package static func beginning(at time: Date) -> AuditID {
        AuditID(TimeOrderedText.beginning(at: time))
    }
}
