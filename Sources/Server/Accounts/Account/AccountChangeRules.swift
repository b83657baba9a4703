import AppleIdentity
import Foundation

extension AccountChange {
    /// Decides a change of an account.
    ///
    /// A change whose result was lost is not made again and returns the account.
    ///
    /// - Parameter facts: what the store knows.
    /// - Returns: the changed account or the refusal, and the writes.
    package func decision(given facts: AccountChangeFacts) -> Decision<AccountChangeOutcome> {
        Decision { () throws(AccountsError) in
            if facts.isDone, let account = facts.account { return Decision(.success(account)) }
            try checkCaller(given: facts)
            guard let before = facts.account else { throw .sessionInvalid }
            let (account, writes) = try apply(to: before, given: facts)
            let entry = audit.writes(
                action,
                of: account.id,
                session: caller?.session,
                detail: undoneParts(before, account, facts)
            )
            return Decision(
                .success(account),
                [.remember(idempotencyKey, at: now)] + writes + entry
            )
        }
    }

    /// The changed account, and the writes of the change.
    typealias Changed = (account: Account, writes: [StoreWrite])

    private var action: AuditAction {
        switch kind {
        case .linkApple: .appleLinked
        case .unlinkApple: .appleUnlinked
        case .changePassword: .passwordChanged
        case .removePassword: .passwordRemoved
        case .changeEmail: .emailChangeRequested
        case .cancelEmailChange: .emailChangeCancelled
        case .verifyEmail: .emailChanged
        case .resetPassword: .passwordReset
        case .undo: .changeUndone
        }
    }

    private func apply(
        to account: Account,
        given facts: AccountChangeFacts
    ) throws(AccountsError) -> Changed {
        switch kind {
        case .linkApple(let check, let token): try link(check, token, account, facts)
        case .unlinkApple(let entryID): try unlink(entryID, account, facts)
        case .changePassword(let change): try changePassword(change, account, facts)
        case .removePassword(let throttles): try removePassword(throttles, account, facts)
        case .changeEmail(let change): try changeEmail(change, account, facts)
        case .cancelEmailChange: cancelEmailChange(account)
        case .verifyEmail: try verifyEmail(account, facts)
        case .resetPassword(_, let hash): try resetPassword(hash, account, facts)
        case .undo(_, let hash, let entryID): try undo(hash, entryID, account, facts)
        }
    }

    /// Refuses a change without a link or an active session, or with an old sign-in where it must be recent.
    private func checkCaller(given facts: AccountChangeFacts) throws(AccountsError) {
        guard let caller else {
            if facts.mailToken == nil { throw .linkInvalid }
            return
        }
        try caller.check(facts.session)
    }

    /// Ends all other sessions, codes and links, because others may know the old password.
    func accessEnded(_ account: Account) -> [StoreWrite] {
        [
            .removeSessions(of: account.id, except: caller?.session),
            .removeAppCodes(of: account.id),
            .removeMailTokens(of: account.id, purpose: .passwordReset),
        ]
            + (account.pendingEmail == nil
                ? [.removeMailTokens(of: account.id, purpose: .verification)] : [])
            + forgottenThrottles.map { .forgetThrottle($0) }
    }
}
