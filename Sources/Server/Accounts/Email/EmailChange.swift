import AppleIdentity
import Foundation

/// The change of an email address: a pending address, a link that verifies it, and a new one.
extension AccountChange {
    /// The values of a new email address.
    package struct EmailChange: Hashable, Sendable {
        /// The verification link.
        package let token: MailToken
        /// The throttles that count requested emails.
        package let throttles: [ThrottleUse]
        /// The mail to the current verified address.
        package var warning: QueuedMail?
    }

    /// Sets the pending email address; a verified address stays until the new one is verified.
    func changeEmail(
        _ change: EmailChange,
        _ before: Account,
        _ facts: AccountChangeFacts
    ) throws(AccountsError) -> Changed {
        let counts = try throttles.counting(facts.throttles, now: now)
        guard let caller else { throw .sessionInvalid }
        var account = before
        let address = change.token.address
        account.pendingEmail = PendingEmail(address: address, session: caller.session)
        if account.email?.isVerified != true {
            account.setOwnEmail(EmailAddress(own: address, isVerified: false), at: now)
        }
        return (
            account,
            // An earlier link may have gone to a stranger, because of a typing mistake.
            counts + [.removeMailTokens(of: account.id, purpose: .verification)]
                + [.putMailToken(change.token)]
                + (account == before ? [] : [.updateAccount(account)])
                + [mail?.entry(to: account), change.warning?.entry(to: before)]
                .compactMap { $0.map { .enqueue($0) } }
        )
    }

    func cancelEmailChange(_ before: Account) -> Changed {
        guard before.pendingEmail != nil else { return (before, []) }
        var account = before
        account.dropPendingEmail(keepsSignUp: false)
        return (
            account,
            [
                .removeMailTokens(of: account.id, purpose: .verification), .updateAccount(account),
            ]
        )
    }

    func verifyEmail(_ before: Account, _ facts: AccountChangeFacts) throws(AccountsError)
        -> Changed
    {
        // The owner of a mistyped address has the link but no session of the account.
        guard let token = facts.mailToken, token.purpose == .verification,
            token.account == before.id, before.pendingEmail?.isAddress(token.address) == true
        else { throw .linkInvalid }
        var account = before
        account.setOwnEmail(EmailAddress(own: token.address, isVerified: true), at: now)
        account.pendingEmail = nil
        return (
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
