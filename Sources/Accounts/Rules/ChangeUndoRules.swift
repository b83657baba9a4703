import Foundation

/// The rules of changes that a mail's link undoes, and of the removal of a password.
extension AccountChange {
    /// The writes of the mail about a change: with the link that undoes it, otherwise the notice to `recipient`.
    func notified(
        _ recipient: Account,
        _ before: Account,
        _ isUndoable: Bool,
        _ facts: AccountChangeFacts
    ) -> [StoreWrite] {
        guard isUndoable, let undo = undoing(before, facts) else {
            return [notice?.entry(to: recipient).map { .enqueue($0) }].compactMap(\.self)
        }
        return [.putMailToken(undo.token), .enqueue(undo.mail)]
    }

    /// The link that undoes the change, and its mail; nil if the email address before may not undo it.
    private func undoing(
        _ before: Account,
        _ facts: AccountChangeFacts
    ) -> (token: MailToken, mail: OutboxEntry)? {
        guard let undoLink, undoLink.address == before.undoAddress(at: now),
            let mail = undoLink.mail.entry(to: before)
        else { return nil }
        let token = MailToken(
            hash: undoLink.hash,
            account: before.id,
            purpose: .changeUndo,
            address: undoLink.address,
            expiresAt: now.addingTimeInterval(MailOrder.undoLifetime),
            snapshot: AccountSnapshot(of: before, facts.password)
        )
        return (token, mail)
    }

    /// Removes the password without asking for it, with a session that proves who may set it.
    func removePassword(
        _ throttles: [ThrottleUse],
        _ before: Account,
        _ facts: AccountChangeFacts
    ) -> Result {
        guard let apple = before.apple, apple.revokedAt == nil else { return refused(.lastWayIn) }
        guard let session = facts.session, session.signInMethod == .apple else {
            return refused(.signInTooOld)
        }
        guard before.isPasswordReplaceable(in: session) else { return refused(.credentialsInvalid) }
        let (wait, counts) = throttles.counting(facts.throttles, now: now)
        if let wait { return refused(.wait(seconds: wait)) }
        var account = before
        account.dropPendingEmail()
        account.username = nil
        account.passwordSetAt = nil
        return changed(
            account,
            [.removePassword(of: account.id), .updateAccount(account)] + accessEnded(account)
                + notified(account, before, true, facts) + counts
        )
    }

    /// Restores what the account had before the change, and ends all access that others may have.
    ///
    /// An Apple identity or a username that has another account now stays there, and the link stays valid for it.
    func undo(
        _ undo: ChangeUndo,
        _ before: Account,
        _ facts: AccountChangeFacts
    ) -> Result {
        guard let token = facts.mailToken, token.purpose == .changeUndo,
            var snapshot = token.snapshot
        else { return refused(.linkInvalid) }
        guard undo.hash == nil || snapshot.username != nil else { return refused(.usernameMissing) }
        let isUsernameTaken = facts.accountOfUsername.map { $0 != before.id } == true
        if isUsernameTaken {
            // An intruder who took the username must not keep the user from the account.
            guard snapshot.apple != nil else { return refused(.usernameTaken) }
            snapshot = snapshot.withoutPassword
        }
        let isElsewhere = facts.accountOfPerson.map { $0 != before.id } == true
        var account = before
        account.restore(isElsewhere ? snapshot.withoutApple : snapshot, at: now)
        let isSame = before.apple?.person == account.apple?.person
        let entries =
            isSame
            ? []
            : facts.refreshTokens.revocations(undo.entryID, of: before.apple?.person, at: now)
        return changed(
            account,
            entries.map { .enqueue($0) }
                + (isSame ? [] : unlinkingWrites(before, undo))
                + [
                    .updateAccount(account), passwordWrite(snapshot, undo.hash, account),
                    // Later links restore what an attacker may have set.
                    .removeMailTokens(
                        of: account.id,
                        purpose: .changeUndo,
                        endingFrom: token.expiresAt
                    ),
                ]
                + (isElsewhere || isUsernameTaken ? [.putMailToken(token)] : [])
                + accessEnded(account)
                + notified(account, before, false, facts),
            revocationCount: entries.count
        )
    }

    private func unlinkingWrites(_ before: Account, _ undo: ChangeUndo) -> [StoreWrite] {
        [.removeRefreshTokens(of: before.id), .removeTransfer(of: before.id)]
            + [before.apple?.person.consentEnded(by: undo.entryID, at: now)].compactMap(\.self)
    }

    private func passwordWrite(
        _ snapshot: AccountSnapshot,
        _ hash: String?,
        _ account: Account
    ) -> StoreWrite {
        guard let former = snapshot.passwordHash else { return .removePassword(of: account.id) }
        return .putPassword(
            StoredPassword(
                account: account.id,
                hash: hash ?? former,
                changedAt: hash == nil ? snapshot.passwordChangedAt ?? now : now
            )
        )
    }

    /// What an undoing restored, for the audit log; nil for another change.
    func undoneParts(
        _ before: Account,
        _ after: Account,
        _ facts: AccountChangeFacts
    ) -> String? {
        guard case .undo(let undo) = kind, let snapshot = undo.token.snapshot else { return nil }
        let isPasswordNew = undo.hash != nil || facts.password?.hash != snapshot.passwordHash
        let parts = [
            before.email != after.email ? "email" : nil,
            isPasswordNew || before.username != after.username ? "password" : nil,
            before.apple?.person != after.apple?.person ? "apple" : nil,
        ]
        return parts.compactMap(\.self).joined(separator: " ")
    }
}

extension [StoreWrite] {
    /// The outbox entries that the writes add.
    var enqueued: [OutboxEntry] {
        compactMap { if case .enqueue(let entry) = $0 { entry } else { nil } }
    }
}
