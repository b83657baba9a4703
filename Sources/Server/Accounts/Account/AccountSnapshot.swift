import Foundation

/// What an account had before a change, for the link that undoes the change.
package struct AccountSnapshot: Codable, Hashable, Sendable {
    /// What an undoing restores of the account.
    package internal(set) var account: Account
    var password: StoredPassword?

    package init(of account: Account, _ password: StoredPassword?) {
        self.account = account.restorable
        self.password = password
    }
}

extension Account {
    /// The email address that can undo a change: a deliverable one that the account has had for a week, or since it was
    /// created.
    ///
    /// An address of a recent change may be an intruder's.
    package func undoAddress(at now: Date) -> String? {
        guard emailDeliverable, let email, let emailSince,
            emailSince <= createdAt
                || now.timeIntervalSince(emailSince) >= MailOrder.undoLifetime
        else { return nil }
        return email.text
    }

    /// Whether the address came with an Apple Account that an intruder may have linked after the password was set.
    func mayAddressBeStrange(to session: Session?) -> Bool {
        guard session?.signInMethod == .password, let apple, let passwordSetAt,
            email?.isOwn == false
        else { return false }
        return apple.linkedAt > passwordSetAt
    }

    /// Whether a session proves, without the password, who set it: by a sign-in with an Apple Account that was linked
    /// before.
    ///
    /// The caller checks that the sign-in is recent.
    package func isPasswordReplaceable(in session: Session) -> Bool {
        guard session.signInMethod == .apple, let apple, apple.revokedAt == nil, let passwordSetAt
        else { return false }
        return apple.linkedAt < passwordSetAt
    }

    /// The account with the properties that ``restore(_:at:)`` reads, and no others.
    var restorable: Account {
        Account(
            id: id,
            email: email,
            emailSince: emailSince,
            isMailForwarded: isMailForwarded,
            mailForwardingChangedAt: mailForwardingChangedAt,
            username: username,
            passwordSetAt: passwordSetAt,
            apple: apple,
            createdAt: createdAt
        )
    }

    /// Restores the email address, the username and the Apple identity of the account before a change.
    mutating func restore(_ before: Account, at now: Date) {
        dropPendingEmail()
        if email != before.email {
            email = before.email
            isMailForwarded = before.isMailForwarded
            mailForwardingChangedAt = before.mailForwardingChangedAt
        }
        emailSince = before.emailSince
        username = before.username
        passwordSetAt = before.passwordSetAt
        if apple?.person != before.apple?.person {
            apple = before.apple
            // Its tokens are revoked: only a sign-in of its user restores the link.
            apple?.revokedAt = before.apple?.revokedAt ?? now
            apple?.hasRefreshToken = false
        }
    }
}
