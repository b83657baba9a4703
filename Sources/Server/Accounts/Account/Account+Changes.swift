import AppleIdentity
import Foundation

extension Account {
    /// Takes the email address of the latest identity token; mail to a new one counts as forwarded.
    ///
    /// Two ungrouped apps of a team may report two addresses of a user: a relay address and the user's own. Within one
    /// consent, a relay address never replaces a verified own one; of two of the same kind, the latest counts. An
    /// address that the user verified here is changed only by the user. Without a time, the address counts as the
    /// former one: a migration replaces a relay address.
    mutating func adoptAppleEmail(_ address: EmailAddress?, at time: Date?) {
        guard let address, !isKept(insteadOf: address) else { return }
        if address.key != email?.key {
            isMailForwarded = true
            emailSince = time ?? emailSince ?? createdAt
        }
        email = address
    }

    private func isKept(insteadOf address: EmailAddress) -> Bool {
        guard let email, email.isVerified else { return false }
        let isSameConsent = apple?.revokedAt == nil
        return email.isOwn || isSameConsent && !email.isPrivateRelay && address.isPrivateRelay
    }

    /// Takes an email address from the user, or none; Apple forwards nothing to it.
    mutating func setOwnEmail(_ address: EmailAddress?, at time: Date) {
        if address?.key != email?.key { emailSince = address.map { _ in time } }
        email = address
        isMailForwarded = true
        mailForwardingChangedAt = nil
    }

    /// Drops the pending email address.
    ///
    /// - Parameter keepsSignUp: whether the address of the sign-up stays, unverified: no session has entered it later.
    mutating func dropPendingEmail(keepsSignUp: Bool = true) {
        guard let pendingEmail else { return }
        let isKept = keepsSignUp && (emailSince ?? createdAt) <= createdAt
        if let email, email.isOwn, !email.isVerified, !isKept, pendingEmail.isAddress(email.text) {
            self.email = nil
            emailSince = nil
        }
        self.pendingEmail = nil
    }

    /// The writes that drop the pending email address when the session that requested it ends.
    func droppingPendingEmail(endedBy isEnding: (SessionID) -> Bool) -> [StoreWrite] {
        guard let pendingEmail, isEnding(pendingEmail.session) else { return [] }
        var account = self
        account.dropPendingEmail()
        return [.removeMailTokens(of: id, purpose: .verification), .updateAccount(account)]
    }

    /// Returns the account without its Apple identity; the session is nil if Apple ended the link.
    ///
    /// The pending address stays only if this session requested it, because a session that ends may have requested it.
    package func unlinked(by session: SessionID?, at time: Date) -> Account {
        var account = self
        account.apple = nil
        if account.pendingEmail?.session != session { account.dropPendingEmail() }
        account.leaveRelay(at: time)
        return account
    }

    /// Adapts the email address when the Apple identity is unlinked.
    ///
    /// The user's pending address replaces a relay address. Another one stays but is unverified, because a stranger may
    /// have linked their Apple Account.
    private mutating func leaveRelay(at time: Date) {
        guard let email, !email.isOwn else { return }
        let address = email.isPrivateRelay ? pendingEmail?.address : email.text
        setOwnEmail(address.map { EmailAddress(own: $0, isVerified: false) }, at: time)
    }

    /// Records the user's consent; after an end of consent, this restores the link.
    mutating func recordConsent(_ check: SignInCheck, at now: Date, givesToken: Bool) {
        guard var link = apple else {
            apple = AppleLink(
                person: check.person,
                clientID: check.clientID,
                linkedAt: now,
                consentedAt: check.issuedAt,
                hasRefreshToken: givesToken
            )
            return
        }
        link.clientID = check.clientID
        link.hasRefreshToken = link.hasRefreshToken || givesToken
        link.consentedAt = max(link.consentedAt, check.issuedAt)
        // The sign-in may be a new consent, which opens the relay address again.
        if isRelayRefused { isMailForwarded = true }
        if link.revokedAt != nil {
            link.revokedAt = nil
            link.linkedAt = now
            // Apple's page asked again about forwarding; a later change that Apple reported still counts.
            if mailForwardingChangedAt.map({ $0 <= check.issuedAt }) ?? true {
                isMailForwarded = true
                mailForwardingChangedAt = check.issuedAt
            }
        }
        apple = link
    }

    /// The writes of the end of consent at Apple.
    func consentEnded(at time: Date) -> [StoreWrite] {
        var account = self
        account.apple?.revokedAt = time
        account.apple?.hasRefreshToken = false
        account.dropPendingEmail()
        return accessEnded + [.removeRefreshTokens(of: id), .updateAccount(account)]
    }

    /// The writes that end access: of the sessions from Apple, or of all without a password, and of verification links
    /// that one of them may have requested.
    var accessEnded: [StoreWrite] {
        [
            .removeSessions(of: id, except: nil, openedBy: username == nil ? nil : .apple),
            .removeMailTokens(of: id, purpose: .verification),
        ]
    }
}

extension PendingEmail {
    /// Whether it is this email address in upper or lower case.
    func isAddress(_ text: String) -> Bool { EmailAddress.key(address) == EmailAddress.key(text) }
}
