import Foundation

/// The rules of small changes of an account and its sessions.
package enum AccountRules {
    /// Marks a relay address that refused mail, or removes the mark; returns whether the account changed.
    ///
    /// The mark has no time of Apple's, so the next sign-in and any report of Apple replace it.
    package static func markRelayAddress(
        _ address: String,
        of account: Account?,
        isRefused: Bool
    ) -> Decision<Bool> {
        guard var account, let email = account.email, email.isPrivateRelay,
            email.key == EmailAddress.key(address),
            isRefused ? account.isMailForwarded : account.isRelayRefused
        else { return Decision(false) }
        account.isMailForwarded = !isRefused
        account.mailForwardingChangedAt = nil
        return Decision(true, [.updateAccount(account)])
    }

    /// Decides the end of a session and returns whether it was active; `isDone` means that this same call ended it.
    package static func end(
        _ session: Session?,
        of account: AccountID,
        owner: Account?,
        isSignOut: Bool,
        audit: AuditContext? = nil,
        isDone: Bool = false,
        now: Date
    ) -> Decision<Bool> {
        guard let session else { return Decision(isDone) }
        guard session.accountID == account else { return Decision(false) }
        let isLive = session.expiresAt > now
        let action = isSignOut ? AuditAction.signOut : .sessionEnded
        let dropped = isSignOut ? [] : owner?.droppingPendingEmail { $0 == session.id } ?? []
        return Decision(
            isLive,
            [.removeSession(session.id)] + dropped
                + (isLive ? audit.writes(action, of: account, session: session.id) : [])
        )
    }

    /// Decides the end of all sessions of an account, or of all but one, and returns their number; `earlierCount` is the
    /// number that this same call ended before.
    package static func endOthers(
        _ sessions: [Session],
        of account: AccountID,
        owner: Account?,
        than session: SessionID?,
        audit: AuditContext? = nil,
        earlierCount: Int? = nil
    ) -> Decision<Int> {
        let count = sessions.count { $0.id != session }
        // A code that the remaining session confirmed would create another one.
        // The session that requested a change of the email address may have ended before.
        let dropped = owner?.droppingPendingEmail { $0 != session } ?? []
        let codes = [.removeAppCodes(of: account)] + dropped
        guard count > 0 else { return Decision(earlierCount ?? 0, codes) }
        return Decision(
            count,
            [.removeSessions(of: account, except: session)] + codes
                + audit.writes(.sessionsEnded, of: account, session: session, detail: "\(count)")
        )
    }
}
