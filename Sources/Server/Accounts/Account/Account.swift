import AppleIdentity
import Foundation

/// A user's account as the store keeps it.
package struct Account: Codable, Hashable, Sendable {
    /// The account's identifier; it never changes, unlike the email address and Apple's identifier.
    package internal(set) var id: AccountID
    /// The display name as the user gave it.
    package var name: AccountName?
    /// The email address that the user verified here, or the one of the latest identity token that had one.
    package var email: EmailAddress?
    /// When the account got this email address, verified or not; nil without one.
    package var emailSince: Date?
    /// The email address that is not verified yet by the link of a mail.
    package var pendingEmail: PendingEmail?
    /// Whether Apple forwards mail to the email address, as last reported by Apple or noticed when mail was refused.
    package var isMailForwarded: Bool
    /// When forwarding was last switched, by Apple's clock; nil when Apple has not reported a switch.
    package var mailForwardingChangedAt: Date?
    /// The username for sign-in with a password; nil without a password.
    package var username: String?
    /// When the account got its username and first password; later passwords do not change it.
    package var passwordSetAt: Date?
    /// The Apple identity that the account is linked to.
    package var apple: AppleLink?
    package internal(set) var createdAt: Date

    package init(
        id: AccountID,
        name: AccountName? = nil,
        email: EmailAddress? = nil,
        emailSince: Date? = nil,
        pendingEmail: PendingEmail? = nil,
        isMailForwarded: Bool = true,
        mailForwardingChangedAt: Date? = nil,
        username: String? = nil,
        passwordSetAt: Date? = nil,
        apple: AppleLink? = nil,
        createdAt: Date
    ) {
        self.id = id
        self.name = name
        self.email = email
        self.emailSince = email.map { _ in emailSince ?? createdAt }
        self.pendingEmail = pendingEmail
        self.isMailForwarded = isMailForwarded
        self.mailForwardingChangedAt = mailForwardingChangedAt
        self.username = username
        self.passwordSetAt = username.map { _ in passwordSetAt ?? createdAt }
        self.apple = apple
        self.createdAt = createdAt
    }

    /// Whether mail is expected to arrive: the email address is verified, forwarding is not off, and a relay address has
    /// the user's consent.
    package var emailDeliverable: Bool {
        guard let email, email.isVerified, isMailForwarded else { return false }
        return !email.isPrivateRelay || apple?.revokedAt == nil
    }

    /// Whether the relay address refused mail since the latest sign-in, and Apple has not reported why.
    var isRelayRefused: Bool { !isMailForwarded && mailForwardingChangedAt == nil }

    /// The entry for which a revocation waits, because the revocation may close the account's relay address.
    func relayed(_ mail: OutboxEntry?) -> OutboxID? {
        email?.isPrivateRelay == true ? mail?.id : nil
    }

    /// Whether a deletion cannot end the link at Apple, because a sign-in without a code gave no token to revoke.
    package var appleLinkRemains: Bool {
        apple.map { $0.revokedAt == nil && !$0.hasRefreshToken } ?? false
    }
}

/// An email address that is not verified yet by the link of a mail.
package struct PendingEmail: Codable, Hashable, Sendable {
    package internal(set) var address: String
    /// The session that requested it.
    package internal(set) var session: SessionID
}

/// The link between an account and a user at Apple.
package struct AppleLink: Codable, Hashable, Sendable {
    package internal(set) var person: ApplePerson
    /// The client of the latest sign-in.
    package var clientID: ClientID
    /// When the link was created, or restored after the user had stopped using the app.
    package var linkedAt: Date
    /// When the user last consented, by Apple's clock: the time of the latest identity token.
    package var consentedAt: Date
    /// When the user stopped using the app at Apple; nil while they consent.
    package var revokedAt: Date?
    /// Whether the store keeps a refresh token, with which a deletion ends the link at Apple.
    package var hasRefreshToken: Bool
}

/// A user as one issuer knows them: the key by which an account is found.
package struct ApplePerson: Codable, Hashable, Sendable {
    /// The issuer of the identity.
    package internal(set) var issuer: String
    /// The user's `sub`, the same in all apps of a team.
    package internal(set) var user: UserID

    package init(issuer: String, user: UserID) {
        self.issuer = issuer
        self.user = user
    }

    /// The hash that stands for the user where their identifier must not be kept any more.
    package var hash: SecretHash { SecretHash(ofParts: [issuer, user.rawValue]) }
}

/// An email address, from an identity token or from the user.
package struct EmailAddress: Codable, Hashable, Sendable {
    package internal(set) var text: String
    /// Whether Apple reported it as verified, or the user followed the link of a mail to it.
    package internal(set) var isVerified: Bool
    /// Whether it is an address of Apple's private email relay.
    package internal(set) var isPrivateRelay: Bool
    /// Whether the user gave it here; Apple's identity tokens do not change it then.
    package internal(set) var isOwn: Bool

    package init(text: String, isVerified: Bool, isPrivateRelay: Bool, isOwn: Bool = false) {
        self.text = text
        self.isVerified = isVerified
        self.isPrivateRelay = isPrivateRelay
        self.isOwn = isOwn
    }

    init(own text: String, isVerified: Bool) {
        self.init(text: text, isVerified: isVerified, isPrivateRelay: false, isOwn: true)
    }

    /// The form by which email addresses are found: in practice, none differ only in case.
    package var key: String { Self.key(text) }

    package static func key(_ text: String) -> String {
        String(
            decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 },
            as: UTF8.self
        )
    }

    /// The form by which mail to an address is counted: without a tag, because `maya+tag@` reaches the mailbox of `maya@`.
    static func countedKey(_ text: String) -> String {
        let key = key(text)
        guard let at = key.lastIndex(of: "@"), let plus = key[..<at].firstIndex(of: "+"),
            plus > key.startIndex
        else { return key }
        return String(key[..<plus] + key[at...])
    }

    /// Whether a string is a well-formed email address with a domain of at least two labels.
    package static func isWellFormed(_ text: String) -> Bool {
        EmailAddressForm.isWellFormed(text)
            && text.split(separator: "@").last?.contains(".") == true
    }
}
