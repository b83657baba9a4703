import Foundation

/// The changes of a password: a new one, one set with the link of a mail, and its removal.
extension AccountChange {
    /// The values of a new password.
    package struct PasswordChange: Hashable, Sendable {
        /// The username, for an account that has none yet.
        package let username: Username?
        /// The current password that was checked; nil for an account that has none, and for a session that replaces it
        /// without knowing it.
        package let checked: StoredPassword?
        /// The hash of the new password.
        package let hash: String
        /// The counts that stay, but without this attempt.
        package var returnedThrottles: [ThrottleUse] = []
        /// The throttles that count changes of the account's password.
        package var throttles: [ThrottleUse] = []
    }

    func changePassword(
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

    func resetPassword(
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

    /// Removes the password without asking for it, with a session that proves who may set it.
    func removePassword(
        _ throttles: [ThrottleUse],
        _ before: Account,
        _ facts: AccountChangeFacts
    ) throws(AccountsError) -> Changed {
        guard let apple = before.apple, apple.revokedAt == nil else { throw .lastWayIn }
        guard let session = facts.session, session.signInMethod == .apple else {
            throw .recentSignInRequired
        }
        guard before.isPasswordReplaceable(in: session) else { throw .credentialsInvalid }
        let counts = try throttles.counting(facts.throttles, now: now)
        var account = before
        account.dropPendingEmail()
        account.username = nil
        account.passwordSetAt = nil
        return (
            account,
            [.removePassword(of: account.id), .updateAccount(account)] + accessEnded(account)
                + notified(account, before, true, facts) + counts
        )
    }
}
