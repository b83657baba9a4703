import AppleIdentity
import Foundation

/// One line of the audit log: who did what, when, from where, and with what.
///
/// It has identifiers alone: no name of a person, no address of theirs, no password, no token. Its words are texts:
/// this program can read the entries of a newer one.
package struct AuditEntry: Hashable, Sendable {
    /// The entry's name, which sorts by the time it was made.
    package let id: AuditID
    /// When it happened.
    package let occurredAt: Date
    /// What happened: a word of `AuditAction`, or of a newer program.
    package let action: String
    /// Who did it: a word of `AuditActor`, or of a newer program.
    package let actor: String
    /// The system's name of the administrator who did it.
    package let administrator: String?
    /// The account it was done to.
    package let account: AccountID?
    /// The session that began, ended, or asked.
    package let session: SessionID?
    /// The network address that asked.
    package let address: String?
    /// The app's identifier at Apple, or else the program that asked.
    package let client: String?
    /// One more word, such as the way of a sign-in or the code of a refusal.
    package let detail: String?

    package init(
        id: AuditID,
        occurredAt: Date,
        action: String,
        actor: String,
        administrator: String? = nil,
        account: AccountID? = nil,
        session: SessionID? = nil,
        address: String? = nil,
        client: String? = nil,
        detail: String? = nil
    ) {
        self.id = id
        self.occurredAt = occurredAt.inWholeMicroseconds
        self.action = action
        self.actor = actor
        self.administrator = administrator
        self.account = account
        self.session = session
        self.address = address
        self.client = client
        self.detail = detail
    }

    /// The entry that tells how many refusals were not written.
    static func skipped(_ count: Int, now: Date) -> AuditEntry {
        AuditContext(actor: .server, now: now)
            .entry(.refusalsSkipped, of: nil, detail: "\(count)")
    }

    /// What an entry counts that tells how many there were; 0 of any other.
    var count: Int { detail.flatMap { Int($0) } ?? 0 }
}

/// The name of an entry of the audit log.
package struct AuditID: TextIdentifier {
    /// The identifier's text.
    package let rawValue: String

    /// Makes the identifier from its text.
    package init(rawValue: String) { self.rawValue = rawValue }
}

extension AuditID {
    package static func make(at now: Date) -> AuditID {
        AuditID(TimeOrderedText.make(at: now))
    }

    /// What all entries made at that time or later sort behind.
    package static func beginning(at time: Date) -> AuditID {
        AuditID(TimeOrderedText.beginning(at: time))
    }
}
