import Foundation
import SignInWithApple

/// Who does something, from where and with what, known before it is decided what becomes of it.
///
/// Its name is made beforehand, so that a change that is carried out again writes the same entry.
package struct AuditContext: Hashable, Sendable {
    /// How long each text of an entry may be, in characters; an app's identifier is at most as long.
    package static let maximumCharacterCount = 255

    /// The name of the first entry.
    package let id: AuditID
    /// Who does it.
    package let actor: AuditActor
    /// The system's name of the administrator who does it.
    package let administrator: String?
    /// The network address that asks.
    package let address: String?
    /// The app or program that asks.
    package let client: String?
    /// One more word about what is done.
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

    /// The entry about something that was done.
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
    /// What tells of something that was done; nothing without a context.
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
