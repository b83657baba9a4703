import Foundation

/// What a store knows that a deletion is decided by.
package struct AccountDeletionFacts: Hashable, Sendable {
    /// The account, when it is still there.
    package var account: Account?
    /// The session that asks, when it has not expired.
    package var session: Session?
    package var refreshTokens: [RefreshToken]
    /// The entry of the audit log by which this very deletion is known; matters only when the account is gone.
    package var recorded: AuditEntry?

    /// Collects facts.
    package init(
        account: Account? = nil,
        session: Session? = nil,
        refreshTokens: [RefreshToken] = [],
        recorded: AuditEntry? = nil
    ) {
        self.account = account
        self.session = session
        self.refreshTokens = refreshTokens
        self.recorded = recorded
    }
}

extension AccountDeletion {
    /// Decides a deletion: a revocation for each token, then the account goes.
    ///
    /// An account that is gone is no mistake: whoever asks twice wants the same. A deletion that was carried out already,
    /// and whose answer was lost, is answered the same again.
    ///
    /// - Parameter facts: what the store knows.
    /// - Returns: what came of it.
    package func decision(given facts: AccountDeletionFacts) -> Decision<AccountDeletionOutcome> {
        guard let account = facts.account else {
            return Decision(.deleted(revocationCount: facts.recorded?.count ?? 0))
        }
        if case .person(_, let signedInSince) = asker {
            guard let session = facts.session, session.accountID == account.id else {
                return Decision(.sessionEnded)
            }
            guard session.signedInAt >= signedInSince else { return Decision(.signInTooOld) }
        }
        let person = account.apple?.person
        let entries = facts.refreshTokens.revocations(entryID, of: person, at: now)
        var writes = entries.map { StoreWrite.enqueue($0) }
        if let person { writes.append(.forgetName(of: person)) }
        // Mail that waits is about an account that is gone, but for the last one.
        writes += [.removeMail(of: account.id), .removeAccount(account.id)]
        writes += audit.writes(
            .accountDeleted,
            of: account.id,
            session: session,
            detail: "\(entries.count)"
        )
        if let last = notice?.entry(to: account) { writes.append(.enqueue(last)) }
        return Decision(.deleted(revocationCount: entries.count), writes)
    }
}

/// The rules of smaller changes to an account and its sessions.
package enum AccountRules {
    /// Decides a change of the name; nil when there is no such account.
    package static func rename(_ account: Account?, to name: AccountName?) -> Decision<Account?> {
        guard var account else { return Decision(nil) }
        guard account.name != name else { return Decision(account) }
        account.name = name
        return Decision(account, [.updateAccount(account)])
    }

    /// Decides the end of one session; returns whether there was one.
    package static func end(
        _ session: Session?,
        of account: AccountID,
        owner: Account?,
        audit: AuditContext? = nil,
        recorded: AuditEntry? = nil,
        now: Date
    ) -> Decision<Bool> {
        guard let session else { return Decision(recorded?.account == account) }
        guard session.accountID == account else { return Decision(false) }
        let isLive = session.expiresAt > now
        let action: AuditAction =
            audit?.detail == AuditAction.signOut.rawValue ? .signOut : .sessionEnded
        let dropped =
            action == .signOut ? [] : owner?.droppingPendingEmail { $0 == session.id } ?? []
        return Decision(
            isLive,
            [.removeSession(session.id)] + dropped
                + (isLive ? audit.writes(action, of: account, session: session.id) : [])
        )
    }

    /// Decides the end of all sessions of an account, or of all but one; returns how many end.
    package static func endOthers(
        _ sessions: [Session],
        of account: AccountID,
        owner: Account?,
        than session: SessionID?,
        audit: AuditContext? = nil,
        recorded: AuditEntry? = nil
    ) -> Decision<Int> {
        let count = sessions.count { $0.id != session }
        // A code that the staying session has given out would open another one.
        // The session that asked for an address may have ended before.
        let dropped = owner?.droppingPendingEmail { $0 != session } ?? []
        let codes = [.removeAppCodes(of: account)] + dropped
        guard count > 0 else { return Decision(recorded?.count ?? 0, codes) }
        return Decision(
            count,
            [.removeSessions(of: account, except: session)] + codes
                + audit.writes(.sessionsEnded, of: account, session: session, detail: "\(count)")
        )
    }
}
