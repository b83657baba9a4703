import AppleIdentity
import Foundation

extension Account {
    /// Follows the address of the latest identity token; that mail arrives at a new one is not in doubt.
    ///
    /// Two ungrouped apps of one team may tell two addresses of a person, a hidden one and their own. A hidden address
    /// never replaces a confirmed own one. Of two of the same kind the one of the latest sign-in counts. An address that
    /// the person proved here is theirs to change.
    mutating func follow(_ address: EmailAddress?) {
        guard let address, !isKept(insteadOf: address) else { return }
        if address.key != email?.key { isMailForwarded = true }
        email = address
    }

    private func isKept(insteadOf address: EmailAddress) -> Bool {
        guard let email, email.isVerified else { return false }
        return email.isOwn || !email.isPrivateRelay && address.isPrivateRelay
    }

    /// Takes an address from the person, to which mail needs no forwarding.
    mutating func take(_ address: EmailAddress) {
        email = address
        isMailForwarded = true
        mailForwardingChangedAt = nil
    }

    /// Drops the address that waits to be proved.
    mutating func dropPendingEmail() {
        guard let pendingEmail else { return }
        if let email, email.isOwn, !email.isVerified, pendingEmail.isAddress(email.text) {
            self.email = nil
        }
        self.pendingEmail = nil
    }

    /// What drops the address that waits, when the sessions that end have asked for it.
    func droppingPendingEmail(endedBy isEnding: (SessionID) -> Bool) -> [StoreWrite] {
        guard let pendingEmail, isEnding(pendingEmail.session) else { return [] }
        var account = self
        account.dropPendingEmail()
        return [.removeMailTokens(of: id, purpose: .verification), .updateAccount(account)]
    }

    /// What an Apple identity leaves behind when it opens the account no longer.
    ///
    /// An address of Apple's relay ends with it. A real one stays and waits to be proved here: somebody else may have
    /// linked their Apple Account.
    mutating func leaveRelay() {
        guard let email, !email.isOwn else { return }
        if email.isPrivateRelay {
            self.email = nil
            isMailForwarded = true
            mailForwardingChangedAt = nil
        } else {
            take(EmailAddress(own: email.text, isVerified: false))
        }
    }

    /// Notes that the person agrees; after an end of consent that links the account again.
    mutating func agree(_ attempt: SignInAttempt, clientID: ClientID, givesToken: Bool) {
        guard var link = apple else {
            apple = AppleLink(
                person: attempt.person,
                clientID: clientID,
                linkedAt: attempt.now,
                consentedAt: attempt.issuedAt,
                hasRefreshToken: givesToken
            )
            return
        }
        link.clientID = clientID
        link.hasRefreshToken = link.hasRefreshToken || givesToken
        link.consentedAt = max(link.consentedAt, attempt.issuedAt)
        if link.revokedAt != nil {
            link.revokedAt = nil
            link.linkedAt = attempt.now
            // Apple's page has asked anew whether and where mail is to be forwarded, unless Apple told of a
            // later change already.
            if mailForwardingChangedAt.map({ $0 <= attempt.issuedAt }) ?? true {
                isMailForwarded = true
                mailForwardingChangedAt = attempt.issuedAt
            }
        }
        apple = link
    }

    /// What the end of consent at Apple writes.
    func consentEnded(at time: Date) -> [StoreWrite] {
        var account = self
        account.apple?.revokedAt = time
        account.apple?.hasRefreshToken = false
        account.dropPendingEmail()
        return accessEnded + [.removeRefreshTokens(of: id), .updateAccount(account)]
    }

    /// What ends with consent: the sessions that Apple opened, all of an account without a password, and the link to an
    /// address that one of them may have asked for.
    var accessEnded: [StoreWrite] {
        [
            .removeSessions(of: id, except: nil, openedBy: username == nil ? nil : .apple),
            .removeMailTokens(of: id, purpose: .verification),
        ]
    }
}

extension PendingEmail {
    /// Whether it is this address, in whatever case.
    func isAddress(_ text: String) -> Bool { EmailAddress.key(address) == EmailAddress.key(text) }
}
