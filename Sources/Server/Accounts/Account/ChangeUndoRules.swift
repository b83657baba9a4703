import Foundation

/// The rules of changes that a mail's link undoes.
extension AccountChange {
    /// The writes of the mail about a change: with the link that undoes it, if the email address before may undo it,
    /// otherwise the notice to `recipient`.
    func notified(
        _ recipient: Account,
        _ before: Account,
        _ isUndoable: Bool,
        _ facts: AccountChangeFacts
    ) -> [StoreWrite] {
        guard isUndoable, let undoLink, undoLink.address == before.undoAddress(at: now),
            let mail = undoLink.mail.entry(to: before)
        else { return [mail?.entry(to: recipient).map { .enqueue($0) }].compactMap(\.self) }
        let token = MailToken(
            hash: undoLink.hash,
            account: before.id,
            purpose: .changeUndo,
            address: undoLink.address,
            expiresAt: now.addingTimeInterval(MailOrder.undoLifetime),
            snapshot: AccountSnapshot(of: before, facts.password)
        )
        return [.putMailToken(token), .enqueue(mail)]
    }

    /// Restores what the account had before the change, and ends all access that others may have.
    ///
    /// An Apple identity or a username that has another account now stays there, and the link stays valid for it.
    func undo(
        _ hash: String?,
        _ entryID: OutboxID,
        _ before: Account,
        _ facts: AccountChangeFacts
    ) throws(AccountsError) -> Changed {
        guard let token = facts.mailToken, token.purpose == .changeUndo,
            var snapshot = token.snapshot
        else { throw .linkInvalid }
        guard hash == nil || snapshot.account.username != nil else {
            throw .usernameRequired
        }
        let isUsernameTaken = facts.accountOfUsername.map { $0 != before.id } == true
        if isUsernameTaken {
            // An intruder who took the username must not keep the user from the account.
            guard snapshot.account.apple != nil else { throw .usernameTaken }
            (snapshot.account.username, snapshot.account.passwordSetAt) = (nil, nil)
            snapshot.password = nil
        }
        let isElsewhere = facts.accountOfPerson.map { $0 != before.id } == true
        if isElsewhere { snapshot.account.apple = nil }
        if let hash, snapshot.password != nil {
            snapshot.password = StoredPassword(account: before.id, hash: hash, changedAt: now)
        }
        var account = before
        account.restore(snapshot.account, at: now)
        let strange = before.apple?.person == account.apple?.person ? nil : before.apple?.person
        let entries =
            strange.map { facts.refreshTokens.revocations(entryID, of: $0, at: now) } ?? []
        return (
            account,
            entries.map { .enqueue($0) }
                + (strange.map { unlinkingWrites($0, entryID, before) } ?? [])
                + [
                    .updateAccount(account),
                    snapshot.password.map { .putPassword($0) } ?? .removePassword(of: account.id),
                    // Later links restore what an attacker may have set.
                    .removeMailTokens(
                        of: account.id,
                        purpose: .changeUndo,
                        endingFrom: token.expiresAt
                    ),
                ]
                + (isElsewhere || isUsernameTaken ? [.putMailToken(token)] : [])
                + accessEnded(account)
                + notified(account, before, false, facts)
        )
    }

    private func unlinkingWrites(
        _ person: ApplePerson,
        _ entryID: OutboxID,
        _ account: Account
    ) -> [StoreWrite] {
        [
            .removeRefreshTokens(of: account.id), .removeTransfer(of: account.id),
            person.consentEnded(by: entryID, at: now),
        ]
    }

    /// What an undoing restored, for the audit log; nil for another change.
    func undoneParts(
        _ before: Account,
        _ after: Account,
        _ facts: AccountChangeFacts
    ) -> String? {
        guard case .undo(let token, let hash, _) = kind, let snapshot = token.snapshot else {
            return nil
        }
        let isPasswordNew = hash != nil || facts.password?.hash != snapshot.password?.hash
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
