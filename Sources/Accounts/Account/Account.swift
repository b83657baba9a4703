import AppleIdentity
import Foundation

/// One person's account, as the store keeps it.
package struct Account: Hashable, Sendable {
    /// The account's own name; the address and Apple's identifier may change, this does not.
    package let id: AccountID
    /// What the person wants to be called, as they gave it.
    package var name: AccountName?
    /// The address that the person proved to be theirs, or the one from the latest identity token that had one.
    package var email: EmailAddress?
    /// The address that waits to be proved by the link of a mail.
    package var pendingEmail: PendingEmail?
    /// Whether Apple forwards mail to the address, as far as Apple told.
    package var isMailForwarded: Bool
    /// When forwarding was last switched, by Apple's clock; nil when Apple told nothing of it.
    package var mailForwardingChangedAt: Date?
    /// The name for signing in with a password, when the account has one.
    package var username: String?
    /// The Apple identity that opens the account.
    package var apple: AppleLink?
    package let createdAt: Date

    package init(
        id: AccountID,
        name: AccountName? = nil,
        email: EmailAddress? = nil,
        pendingEmail: PendingEmail? = nil,
        isMailForwarded: Bool = true,
        mailForwardingChangedAt: Date? = nil,
        username: String? = nil,
        apple: AppleLink? = nil,
        createdAt: Date
    ) {
        self.id = id
        self.name = name
        self.email = email
        self.pendingEmail = pendingEmail
        self.isMailForwarded = isMailForwarded
        self.mailForwardingChangedAt = mailForwardingChangedAt
        self.username = username
        self.apple = apple
        self.createdAt = createdAt
    }

    /// Whether mail to the address is expected to arrive: there is one, it is verified, and forwarding is
    /// not off.
    package var emailDeliverable: Bool { email?.isVerified == true && isMailForwarded }

    /// Whether a deletion cannot end the link at Apple: a sign-in without a code brings no token to revoke.
    package var appleLinkRemains: Bool {
        apple.map { $0.revokedAt == nil && !$0.hasRefreshToken } ?? false
    }
}

/// An address that waits to be proved by the link of a mail.
package struct PendingEmail: Hashable, Sendable {
    package let address: String
    /// The session that asked for it.
    package let session: SessionID

    package init(address: String, session: SessionID) {
        self.address = address
        self.session = session
    }
}

/// The tie between an account and a person at Apple.
package struct AppleLink: Hashable, Sendable {
    package let person: ApplePerson
    /// The client they signed in with last.
    package var clientID: ClientID
    /// When the tie was made, or made anew after the person had stopped using the app.
    package var linkedAt: Date
    /// When the person agreed last, by Apple's clock: the time of the latest identity token.
    package var consentedAt: Date
    /// When the person stopped using the app at Apple; nil while they agree.
    package var revokedAt: Date?
    /// Whether a refresh token of Apple's is kept, with which a deletion ends the link there.
    package var hasRefreshToken: Bool

    package init(
        person: ApplePerson,
        clientID: ClientID,
        linkedAt: Date,
        consentedAt: Date,
        revokedAt: Date? = nil,
        hasRefreshToken: Bool
    ) {
        self.person = person
        self.clientID = clientID
        self.linkedAt = linkedAt
        self.consentedAt = consentedAt
        self.revokedAt = revokedAt
        self.hasRefreshToken = hasRefreshToken
    }
}

/// A person as one issuer knows them: the key by which an account is found.
package struct ApplePerson: Hashable, Sendable {
    /// Who issued the identity.
    package let issuer: String
    /// The person's `sub`, the same in all apps of a team.
    package let user: UserID

    package init(issuer: String, user: UserID) {
        self.issuer = issuer
        self.user = user
    }

    /// The person's name where the person themselves must not be known any more.
    package var hash: SecretHash { SecretHash(ofParts: [issuer, user.rawValue]) }
}

/// An address, from an identity token or from the person.
package struct EmailAddress: Hashable, Sendable {
    package let text: String
    /// Whether Apple says that it belongs to the person, or the link of a mail proved it.
    package let isVerified: Bool
    /// Whether it is one of Apple's relay.
    package let isPrivateRelay: Bool
    /// Whether the person gave it here, and Apple's identity tokens do not change it.
    package let isOwn: Bool

    package init(text: String, isVerified: Bool, isPrivateRelay: Bool, isOwn: Bool = false) {
        self.text = text
        self.isVerified = isVerified
        self.isPrivateRelay = isPrivateRelay
        self.isOwn = isOwn
    }

    init(own text: String, isVerified: Bool) {
        self.init(text: text, isVerified: isVerified, isPrivateRelay: false, isOwn: true)
    }

    /// The form by which addresses are found: nobody gives two people addresses that differ in case alone.
    package var key: String { Self.key(text) }

    static func key(_ text: String) -> String {
        String(
            decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 },
            as: UTF8.self
        )
    }

    /// Whether a text can be an address that mail is sent to; what it can't be proves nothing more; returns whether
    /// it is well-formed, with a domain of at least two labels.
    package static func isWellFormed(_ text: String) -> Bool {
        EmailAddressForm.isWellFormed(text)
            && text.split(separator: "@").last?.contains(".") == true
    }
}
