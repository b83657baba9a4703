import Foundation

/// What an account had before a change, for the link that undoes the change.
package struct AccountSnapshot: Codable, Hashable, Sendable {
    package let email: EmailAddress?
    let emailSince: Date?
    let isMailForwarded: Bool
    let mailForwardingChangedAt: Date?
    package private(set) var username: String?
    private(set) var passwordSetAt: Date?
    /// The hash of the password; nil without a password.
    private(set) var passwordHash: String?
    let passwordChangedAt: Date?
    package private(set) var apple: AppleLink?

    package init(of account: Account, _ password: StoredPassword?) {
        email = account.email
        emailSince = account.emailSince
        isMailForwarded = account.isMailForwarded
        mailForwardingChangedAt = account.mailForwardingChangedAt
        username = account.username
        passwordSetAt = account.passwordSetAt
        passwordHash = password?.hash
        passwordChangedAt = password?.changedAt
        apple = account.apple
    }

    var withoutPassword: AccountSnapshot {
        var snapshot = self
        (snapshot.username, snapshot.passwordSetAt, snapshot.passwordHash) = (nil, nil, nil)
        return snapshot
    }

    var withoutApple: AccountSnapshot {
        var snapshot = self
        snapshot.apple = nil
        return snapshot
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

    /// Restores the email address, the username and the Apple identity of a snapshot.
    mutating func restore(_ snapshot: AccountSnapshot, at now: Date) {
        dropPendingEmail()
        if email != snapshot.email {
            email = snapshot.email
            isMailForwarded = snapshot.isMailForwarded
            mailForwardingChangedAt = snapshot.mailForwardingChangedAt
        }
        emailSince = snapshot.emailSince
        username = snapshot.username
        passwordSetAt = snapshot.passwordSetAt
        if apple?.person != snapshot.apple?.person {
            apple = snapshot.apple
            // Its tokens are revoked: only a sign-in of its user restores the link.
            apple?.revokedAt = snapshot.apple?.revokedAt ?? now
            apple?.hasRefreshToken = false
        }
    }
}
