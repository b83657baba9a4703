import AppleIdentity
import Foundation

extension AccountChange {
    typealias Result = Decision<AccountChangeOutcome>

    /// Decides a change of an account.
    ///
    /// A change whose result was lost is not made again and returns the account.
    ///
    /// - Parameter facts: what the store knows.
    /// - Returns: the changed account or the refusal, and the writes.
    package func decision(given facts: AccountChangeFacts) -> Decision<AccountChangeOutcome> {
        if facts.isDone, let account = facts.account {
            return Decision(.changed(account, revocationCount: 0))
        }
        if let refusal = refusal(given: facts) { return refused(refusal) }
        guard let account = facts.account else { return refused(.sessionEnded) }
        let decision = decision(on: account, given: facts)
        guard case .changed(let changed, _) = decision.answer else { return decision }
        let end = now.addingTimeInterval(Self.markMemory)
        return Decision(
            decision.answer,
            [.useOnce(mark, rememberedUntil: end)] + decision.writes
                + audit.writes(
                    action,
                    of: account.id,
                    session: caller?.session,
                    detail: undoneParts(account, changed, facts)
                )
        )
    }

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

    /// Seconds for which a change is recognized; the service repeats a lost call at once.
    static let markMemory: TimeInterval = 3600

    private func decision(on account: Account, given facts: AccountChangeFacts) -> Result {
        switch kind {
        case .linkApple(let apple): return link(apple, account, facts)
        case .unlinkApple(let entryID): return unlink(entryID, account, facts)
        case .changePassword(let change): return changePassword(change, account, facts)
        case .removePassword(let throttles): return removePassword(throttles, account, facts)
        case .changeEmail(let change): return changeEmail(change, account, facts)
        case .cancelEmailChange: return cancelEmailChange(account)
        case .verifyEmail: return verifyEmail(account, facts)
        case .resetPassword(_, let hash): return resetPassword(hash, account, facts)
        case .undo(_, let hash, let entryID): return undo(hash, entryID, account, facts)
        }
    }

    func refused(_ refusal: AccountChangeRefusal) -> Result { Decision(.refused(refusal)) }

    func changed(
        _ account: Account,
        _ writes: [StoreWrite],
        revocationCount: Int = 0
    ) -> Result {
        Decision(.changed(account, revocationCount: revocationCount), writes)
    }

    /// Refuses a change without a link or an active session, or with an old sign-in where it must be recent.
    private func refusal(given facts: AccountChangeFacts) -> AccountChangeRefusal? {
        guard let caller else { return facts.mailToken == nil ? .linkInvalid : nil }
        guard let session = facts.session, session.accountID == caller.account else {
            return .sessionEnded
        }
        if let since = caller.signedInSince, session.signedInAt < since { return .signInTooOld }
        return nil
    }

    // MARK: Apple

    private func link(
        _ apple: RedeemedSignIn,
        _ before: Account,
        _ facts: AccountChangeFacts
    ) -> Result {
        let attempt = apple.attempt
        guard let signIn = facts.signIn else { return refused(.sessionEnded) }
        if let refusal = attempt.refusal(given: signIn) { return refused(.signIn(refusal)) }
        if let other = signIn.account, other.id != before.id { return refused(.linkedElsewhere) }
        if let link = before.apple, link.person != attempt.person { return refused(.linkExists) }
        let account = apple.account(before, given: signIn)
        return changed(
            account,
            [.updateAccount(account)] + apple.writes(to: account.id, given: signIn)
                + notified(account, before, account.email?.key != before.email?.key, facts)
        )
    }

    private func unlink(
        _ entryID: OutboxID,
        _ before: Account,
        _ facts: AccountChangeFacts
    ) -> Result {
        guard let apple = before.apple else { return refused(.notLinked) }
        guard before.username != nil else { return refused(.lastWayIn) }
        let account = before.unlinked(by: caller?.session, at: now)
        let told = notified(before, before, !before.mayAddressBeStrange(to: facts.session), facts)
        let entries = facts.refreshTokens.revocations(
            entryID,
            of: apple.person,
            after: before.relayed(told.enqueued.first),
            at: now
        )
        return changed(
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
                + told,
            revocationCount: entries.count
        )
    }

    // MARK: Password

    private func changePassword(
        _ change: PasswordChange,
        _ before: Account,
        _ facts: AccountChangeFacts
    ) -> Result {
        let isReplacing =
            change.checked == nil && change.username == nil && caller?.signedInSince != nil
            && facts.session.map(before.isPasswordReplaceable) == true
        guard isReplacing || facts.password?.hash == change.checked?.hash else {
            return refused(.credentialsInvalid)
        }
        let (wait, counts) = change.throttles.counting(facts.throttles, now: now)
        if let wait { return refused(.wait(seconds: wait)) }
        var account = before
        if account.username == nil {
            if account.pendingEmail?.session != caller?.session { account.dropPendingEmail() }
            guard let username = change.username else { return refused(.usernameMissing) }
            guard facts.accountOfUsername == nil else { return refused(.usernameTaken) }
            account.username = username.text
            account.passwordSetAt = now
        } else {
            account.dropPendingEmail()
        }
        return changed(
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
    ) -> Result {
        guard let token = facts.mailToken, before.username != nil else {
            return refused(.linkInvalid)
        }
        // The owner of an address that is no longer the account's must not get access.
        guard token.purpose == .passwordReset, let email = before.email, email.isVerified,
            email.key == EmailAddress.key(token.address)
        else { return refused(.linkInvalid) }
        var account = before
        account.dropPendingEmail()
        return changed(
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

    // MARK: Email

    /// Sets the pending email address; a verified address stays until the new one is verified.
    private func changeEmail(
        _ change: EmailChange,
        _ before: Account,
        _ facts: AccountChangeFacts
    ) -> Result {
        let (wait, counts) = throttles.counting(facts.throttles, now: now)
        if let wait { return refused(.wait(seconds: wait)) }
        guard let caller else { return refused(.sessionEnded) }
        var account = before
        let address = change.token.address
        account.pendingEmail = PendingEmail(address: address, session: caller.session)
        if account.email?.isVerified != true {
            account.take(EmailAddress(own: address, isVerified: false), at: now)
        }
        return changed(
            account,
            // An earlier link may have gone to a stranger, because of a typing mistake.
            counts + [.removeMailTokens(of: account.id, purpose: .verification)]
                + [.putMailToken(change.token)]
                + (account == before ? [] : [.updateAccount(account)])
                + [notice?.entry(to: account), change.warning?.entry(to: before)]
                .compactMap { $0.map { .enqueue($0) } }
        )
    }

    private func cancelEmailChange(_ before: Account) -> Result {
        var account = before
        account.dropPendingEmail()
        return changed(account, before.droppingPendingEmail { _ in true })
    }

    private func verifyEmail(_ before: Account, _ facts: AccountChangeFacts) -> Result {
        // The owner of a mistyped address has the link but no session of the account.
        guard let token = facts.mailToken, token.purpose == .verification,
            token.account == before.id, before.pendingEmail?.isAddress(token.address) == true
        else { return refused(.linkInvalid) }
        var account = before
        account.take(EmailAddress(own: token.address, isVerified: true), at: now)
        account.pendingEmail = nil
        return changed(
            account,
            [
                .removeMailTokens(of: account.id, purpose: .verification),
                // Reset links that were sent to the old address become invalid.
                .removeMailTokens(of: account.id, purpose: .passwordReset),
                .updateAccount(account),
            ] + notified(before, before, account.email?.key != before.email?.key, facts)
        )
    }
}

extension Sequence where Element == RefreshToken {
    /// A revocation for each token, with identifiers derived from one.
    func revocations(
        _ id: OutboxID,
        of person: ApplePerson?,
        after notice: OutboxID? = nil,
        at time: Date
    ) -> [OutboxEntry] {
        enumerated().map { index, token in
            OutboxEntry(
                id: OutboxID("\(id)-\(index)"),
                task: .revocation(token),
                person: person?.hash,
                waitsFor: notice,
                createdAt: time
            )
        }
    }
}
