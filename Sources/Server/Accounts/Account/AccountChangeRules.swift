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

    // MARK: Apple

    private func link(
        _ check: SignInCheck,
        _ refreshToken: RefreshToken?,
        _ before: Account,
        _ facts: AccountChangeFacts
    ) throws(AccountsError) -> Changed {
        guard let signIn = facts.signIn else { throw .sessionInvalid }
        if let refusal = check.refusal(given: signIn) { throw refusal }
        if let other = signIn.account, other.id != before.id { throw .appleLinkedElsewhere }
        if let link = before.apple, link.person != check.person { throw .appleLinkExists }
        let account = check.account(before, refreshToken, at: now, given: signIn)
        return (
            account,
            [.updateAccount(account)] + check.writes(to: account.id, refreshToken, given: signIn)
                + notified(account, before, account.email?.key != before.email?.key, facts)
        )
    }

    private func unlink(
        _ entryID: OutboxID,
        _ before: Account,
        _ facts: AccountChangeFacts
    ) throws(AccountsError) -> Changed {
        guard let apple = before.apple else { throw .appleNotLinked }
        guard before.username != nil else { throw .lastWayIn }
        let account = before.unlinked(by: caller?.session, at: now)
        let told = notified(before, before, !before.mayAddressBeStrange(to: facts.session), facts)
        let entries = facts.refreshTokens.revocations(
            entryID,
            of: apple.person,
            after: before.relayed(told.enqueued.first),
            at: now
        )
        return (
            account,
            entries.map { .enqueue($0) }
                + [.removeRefreshTokens(of: account.id), .updateAccount(account)]
                + [
                    apple.person.consentEnded(by: entryID, at: now),
                    .removeSessions(of: account.id, except: caller?.session, openedBy: .apple),
                    // A code that the remaining session confirmed would create another one.
                    .removeAppCodes(of: account.id),
                ]
                + (account.pendingEmail == nil
                    ? [.removeMailTokens(of: account.id, purpose: .verification)] : [])
                + told
        )
    }

    // MARK: Password

    private func changePassword(
        _ change: PasswordChange,
        _ before: Account,
        _ facts: AccountChangeFacts
    ) throws(AccountsError) -> Changed {
        let isReplacing =
            change.checked == nil && change.username == nil && caller?.signedInSince != nil
            && facts.session.map(before.isPasswordReplaceable) == true
        guard isReplacing || facts.password?.hash == change.checked?.hash else {
            throw .credentialsInvalid
        }
        let counts = try change.throttles.counting(facts.throttles, now: now)
        var account = before
        if account.username == nil {
            if account.pendingEmail?.session != caller?.session { account.dropPendingEmail() }
            guard let username = change.username else { throw .usernameRequired }
            guard facts.accountOfUsername == nil else { throw .usernameTaken }
            account.username = username.text
            account.passwordSetAt = now
        } else {
            account.dropPendingEmail()
        }
        return (
            account,
            passwordWrites(change.hash, account)
                + notified(account, before, change.checked == nil, facts)
                + counts + change.returnedThrottles.returning(facts.throttles, now: now)
                + (account == before ? [] : [.updateAccount(account)])
        )
    }

    private func resetPassword(
        _ hash: String,
        _ before: Account,
        _ facts: AccountChangeFacts
    ) throws(AccountsError) -> Changed {
        guard let token = facts.mailToken, before.username != nil else {
            throw .linkInvalid
        }
        // The owner of an address that is no longer the account's must not get access.
        guard token.purpose == .passwordReset, let email = before.email, email.isVerified,
            email.key == EmailAddress.key(token.address)
        else { throw .linkInvalid }
        var account = before
        account.dropPendingEmail()
        return (
            account,
            passwordWrites(hash, account) + notified(account, before, false, facts)
                + (account == before ? [] : [.updateAccount(account)])
        )
    }

    /// Sets the password, and ends the access of others.
    private func passwordWrites(_ hash: String, _ account: Account) -> [StoreWrite] {
        let password = StoredPassword(account: account.id, hash: hash, changedAt: now)
        return [.putPassword(password)] + accessEnded(account)
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

extension Sequence where Element == RefreshToken {
    /// A revocation for each token, with identifiers derived from one.
    func revocations(
        _ id: OutboxID,
        of person: ApplePerson?,
        after mail: OutboxID? = nil,
        at time: Date
    ) -> [OutboxEntry] {
        enumerated().map { index, token in
            OutboxEntry(
                id: OutboxID("\(id)-\(index)"),
                task: .revocation(token),
                person: person?.hash,
                waitsFor: mail,
                createdAt: time
            )
        }
    }
}
