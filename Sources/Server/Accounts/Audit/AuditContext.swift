import Foundation
import SignInWithApple

/// The actor, IP address and client of an action, before its outcome is decided.
///
/// Its identifier exists beforehand: a repeated change writes the same entry.
package struct AuditContext: Hashable, Sendable {
    /// The maximum length of each string of an entry, in characters; an app's identifier is no longer.
    package static let maximumCharacterCount = 255

    /// The identifier of the first entry.
    package let id: AuditID
    package let actor: AuditActor
    /// The administrator's user name in the operating system.
    package let administrator: String?
    /// The client's IP address.
    package let address: String?
    /// The requesting app or program.
    package let client: String?
    /// An additional word about the action.
    package let detail: String?
    package let now: Date

    package init(
        id: AuditID? = nil,
        actor: AuditActor,
        administrator: String? = nil,
        address: String? = nil,
        client: String? = nil,
        detail: String? = nil,
        now: Date
    ) {
        self.id = id ?? .make(at: now)
        self.actor = actor
        self.administrator = administrator
        self.address = address
        self.client = client
        self.detail = detail
        self.now = now.inWholeMicroseconds
    }

    /// Creates the entry of an action that was performed.
    package func entry(
        _ action: AuditAction,
        of account: AccountID?,
        session: SessionID? = nil,
        detail: String? = nil,
        part: Int = 0
    ) -> AuditEntry {
        AuditEntry(
            id: part == 0 ? id : AuditID("\(id)-\(part)"),
            occurredAt: now,
            action: action.rawValue,
            actor: actor.rawValue,
            administrator: Self.cleaned(administrator),
            account: account,
            session: session,
            address: Self.cleaned(address),
            client: Self.cleaned(client),
            detail: Self.cleaned(detail ?? self.detail)
        )
    }

    private static func cleaned(_ text: String?) -> String? {
        text.map { DisplayText.clipped($0, maximumCharacterCount: maximumCharacterCount) }
            .flatMap(DisplayText.cleaned)
    }
}

extension AuditContext? {
    /// The write of the entry of an action; none without a context.
    func writes(
        _ action: AuditAction,
        of account: AccountID?,
        session: SessionID? = nil,
        detail: String? = nil,
        part: Int = 0
    ) -> [StoreWrite] {
        guard let self else { return [] }
        let entry = self.entry(action, of: account, session: session, detail: detail, part: part)
        return [.recordAudit(entry)]
    }
}
