import AppleIdentity
import Foundation

/// One line of the audit log: who did what, when, from where, and with what.
///
/// It has identifiers alone: no name of a person, no address of theirs, no password, no token. Its words are texts,
/// so that entries of a newer program can be read, and checked, by this one.
public struct AuditEntry: Hashable, Sendable {
    /// The entry's name, which sorts by the time it was made.
    public let id: AuditID
    /// When it happened.
    public let occurredAt: Date
    /// What happened: a word of `AuditAction`, or of a newer program.
    public let action: String
    /// Who did it: a word of `AuditActor`, or of a newer program.
    public let actor: String
    /// The system's name of the administrator who did it.
    public let administrator: String?
    /// The account it was done to.
    public let account: AccountID?
    /// The session that began, ended, or asked.
    public let session: SessionID?
    /// The network address that asked.
    public let address: String?
    /// The app's identifier at Apple, or else the program that asked.
    public let client: String?
    /// One more word, such as the way of a sign-in or the code of a refusal.
    public let detail: String?
    /// What proves until it is sealed that a process with the keys wrote the entry; nil of one without.
    public let code: Data?

    /// Describes an entry as a store kept it.
    ///
    /// - Parameters:
    ///   - id: the entry's name.
    ///   - occurredAt: when it happened.
    ///   - action: what happened.
    ///   - actor: who did it.
    ///   - administrator: the system's name of the administrator.
    ///   - account: the account it was done to.
    ///   - session: the session that began, ended, or asked.
    ///   - address: the network address that asked.
    ///   - client: the app or program that asked.
    ///   - detail: one more word.
    ///   - code: what proves who wrote it.
    public init(
        id: AuditID,
        occurredAt: Date,
        action: String,
        actor: String,
        administrator: String? = nil,
        account: AccountID? = nil,
        session: SessionID? = nil,
        address: String? = nil,
        client: String? = nil,
        detail: String? = nil,
        code: Data? = nil
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
        self.code = code
    }

    /// The entry that tells how many refusals were not written.
    static func skipped(_ count: Int, now: Date, keys: AuditKeys?) -> AuditEntry {
        AuditContext(actor: .server, now: now, keys: keys)
            .entry(.refusalsSkipped, of: nil, detail: "\(count)")
    }

    /// What an entry counts that tells how many there were; 0 of any other.
    var count: Int { detail.flatMap { Int($0) } ?? 0 }

    /// Everything but the code, in an order that never changes.
    var parts: [String?] {
        [
            id.rawValue, "\(occurredAt.microseconds)", action, actor, administrator,
            account?.rawValue, session?.rawValue, address, client, detail,
        ]
    }

    /// The same entry with the code that the keys give it.
    func signed(by keys: AuditKeys) -> AuditEntry {
        AuditEntry(
            id: id,
            occurredAt: occurredAt,
            action: action,
            actor: actor,
            administrator: administrator,
            account: account,
            session: session,
            address: address,
            client: client,
            detail: detail,
            code: keys.code(of: Self.purpose, parts)
        )
    }

    /// What the code tells of who wrote the entry.
    func proof(_ keys: AuditKeys) -> AuditProof {
        guard let code else { return .unsigned }
        return keys.isCode(code, of: Self.purpose, parts) ? .signed : .altered
    }

    private static let purpose = "entry 1"
}

/// The name of an entry of the audit log.
public struct AuditID: TextIdentifier {
    /// The identifier's text.
    public let rawValue: String

    /// Makes the identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
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

/// What was found of an entry before it became part of the chain, which keeps the finding.
public enum AuditProof: String, CaseIterable, Hashable, Sendable {
    /// A process with the server's keys wrote it, and nobody has changed it since.
    case signed
    /// A process without the keys wrote it, such as a command that was not told them, or somebody by hand.
    case unsigned
    /// It was changed, or written by somebody who does not have the keys.
    case altered
}
