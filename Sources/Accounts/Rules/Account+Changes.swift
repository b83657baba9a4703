import AppleIdentity
import Foundation

extension Account {
    /// Follows a changed address; whether mail arrives at the new one is not known to be in doubt.
    ///
    /// An address that the person proved here is theirs to change.
    mutating func follow(_ address: EmailAddress?) {
        guard let address, !(email?.isOwn == true && email?.isVerified == true) else { return }
        if address.text != email?.text { isMailForwarded = true }
        email = address
    }

    /// Takes an address from the person, to which mail needs no forwarding.
    mutating func take(_ address: EmailAddress) {
        email = address
        isMailForwarded = true
        mailForwardingChangedAt = nil
    }

    /// What an Apple identity leaves behind when it opens the account no longer: an address of Apple's relay ends
    /// with it, a real one stays the person's.
    mutating func leaveRelay() {
        guard let email, !email.isOwn else { return }
        if email.isPrivateRelay {
            self.email = nil
            isMailForwarded = true
            mailForwardingChangedAt = nil
        } else {
            take(EmailAddress(own: email.text, isVerified: email.isVerified))
        }
    }

    /// Notes that the person agrees; after an end of consent that ties the account anew.
    mutating func agree(_ attempt: SignInAttempt, clientID: ClientID) {
        guard var link = apple else {
            apple = AppleLink(
                person: attempt.person,
                clientID: clientID,
                linkedAt: attempt.now,
                consentedAt: attempt.issuedAt
            )
            return
        }
        link.clientID = clientID
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

    /// What the end of consent at Apple writes: who has a password keeps that way in, and what was opened by it.
    func consentEnded(at time: Date) -> [StoreWrite] {
        var account = self
        account.apple?.revokedAt = time
        let sessions: [StoreWrite] =
            username == nil ? [.removeSessions(of: id, except: nil)] : []
        return sessions + [.removeRefreshTokens(of: id), .updateAccount(account)]
    }
}
