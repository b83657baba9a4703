import Foundation

/// All that is kept about a person, for the person.
package struct AccountExport: Hashable, Sendable {
    package var account: Account
    /// Its live sessions, the latest used first.
    package var sessions: [Session]
    /// When the password was set; of the password itself only a hash is kept.
    package var passwordChangedAt: Date?
    /// Apple's refresh tokens; they stay sealed.
    package var refreshTokens: [RefreshToken]
    /// Links of mails that may still be followed.
    package var mailTokens: [MailToken]
    /// Mail that waits to be sent, by the time it was queued.
    package var waitingMail: [Date]
    /// The latest entries of the audit log about the account, the latest first; at most ``maximumAuditEntryCount``.
    package var auditEntries: [AuditEntry]

    /// How many entries of the audit log an export has.
    package static let maximumAuditEntryCount = 1000

    package init(
        account: Account,
        sessions: [Session],
        passwordChangedAt: Date?,
        refreshTokens: [RefreshToken],
        mailTokens: [MailToken],
        waitingMail: [Date],
        auditEntries: [AuditEntry] = []
    ) {
        self.account = account
        self.sessions = sessions
        self.passwordChangedAt = passwordChangedAt
        self.refreshTokens = refreshTokens
        self.mailTokens = mailTokens
        self.waitingMail = waitingMail
        self.auditEntries = auditEntries
    }
}

extension AuditQuery {
    /// Those entries of an account that its export has.
    package static func export(of account: AccountID) -> AuditQuery {
        AuditQuery(
            account: account,
            count: AccountExport.maximumAuditEntryCount,
            isLatestFirst: true
        )
    }
}
