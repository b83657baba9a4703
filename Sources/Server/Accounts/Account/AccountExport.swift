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
    /// The transfer of the user to another team, until the user is migrated.
    package var transfer: AppleTransfer?
    /// The latest audit log entries of the account, the latest first; at most ``maximumAuditEntryCount``.
    package var auditEntries: [AuditEntry]
    /// Whether the audit log has older entries of the account.
    package var isAuditTruncated: Bool

    /// The maximum number of audit log entries in an export.
    package static let maximumAuditEntryCount = 1000

    package init(
        account: Account,
        sessions: [Session],
        passwordChangedAt: Date?,
        refreshTokens: [RefreshToken],
        mailTokens: [MailToken],
        waitingMail: [Date],
        transfer: AppleTransfer? = nil,
        auditEntries: [AuditEntry] = []
    ) {
        self.account = account
        self.sessions = sessions
        self.passwordChangedAt = passwordChangedAt
        self.refreshTokens = refreshTokens
        self.mailTokens = mailTokens
        self.waitingMail = waitingMail
        self.transfer = transfer
        self.auditEntries = Array(auditEntries.prefix(Self.maximumAuditEntryCount))
        isAuditTruncated = auditEntries.count > Self.maximumAuditEntryCount
    }
}

extension AuditQuery {
    /// The query for the entries of an account's export, and for one more, which shows that there are older ones.
    package static func export(of account: AccountID) -> AuditQuery {
        var query = AuditQuery(account: account, isLatestFirst: true)
        query.count = AccountExport.maximumAuditEntryCount + 1
        return query
    }
}
