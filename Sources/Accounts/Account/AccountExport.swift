import Foundation

/// All data kept about a user, for that user.
package struct AccountExport: Hashable, Sendable {
    package var account: Account
    /// The active sessions, the latest used first.
    package var sessions: [Session]
    /// When the password was set; only a hash of the password is kept.
    package var passwordChangedAt: Date?
    /// Apple's refresh tokens, still encrypted.
    package var refreshTokens: [RefreshToken]
    /// Links in emails that are still valid.
    package var mailTokens: [MailToken]
    /// The times at which mail that is not sent yet was queued.
    package var waitingMail: [Date]
    /// The latest audit log entries of the account, the latest first; at most ``maximumAuditEntryCount``.
    package var auditEntries: [AuditEntry]

    /// The maximum number of audit log entries in an export.
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
    /// The query for the entries of an account's export.
    package static func export(of account: AccountID) -> AuditQuery {
        AuditQuery(
            account: account,
            count: AccountExport.maximumAuditEntryCount,
            isLatestFirst: true
        )
    }
}
