import AppleIdentity
import Foundation

/// One person's account, as the store keeps it.
public struct Account: Hashable, Sendable {
    /// The account's own name; the address and Apple's identifier may change, this does not.
    public let id: AccountID
    /// What the person wants to be called, as they gave it.
    public var name: String?
    /// The address from the latest identity token that had one.
    public var email: EmailAddress?
    /// Whether Apple forwards mail to the address, as far as Apple told.
    public var isMailForwarded: Bool
    /// When forwarding was last switched, by Apple's clock; nil when Apple told nothing of it.
    public var mailForwardingChangedAt: Date?
    /// The name for signing in with a password, when the account has one.
    public var username: String?
    /// The Apple identity that opens the account.
    public var apple: AppleLink?
    /// When the account was made.
    public let createdAt: Date

    /// Makes an account's description.
    ///
    /// - Parameters:
    ///   - id: the account's own name.
    ///   - name: what the person wants to be called.
    ///   - email: the address from the latest identity token that had one.
    ///   - isMailForwarded: whether Apple forwards mail to the address.
    ///   - mailForwardingChangedAt: when forwarding was last switched, by Apple's clock.
    ///   - username: the name for signing in with a password.
    ///   - apple: the Apple identity that opens the account.
    ///   - createdAt: when the account was made.
    public init(
        id: AccountID,
        name: String? = nil,
        email: EmailAddress? = nil,
        isMailForwarded: Bool = true,
        mailForwardingChangedAt: Date? = nil,
        username: String? = nil,
        apple: AppleLink? = nil,
        createdAt: Date
    ) {
        self.id = id
        self.name = name
        self.email = email
        self.isMailForwarded = isMailForwarded
        self.mailForwardingChangedAt = mailForwardingChangedAt
        self.username = username
        self.apple = apple
        self.createdAt = createdAt
    }

    /// Whether mail to the address is expected to arrive: there is one, it is verified, and forwarding is
    /// not off.
    public var emailDeliverable: Bool { email?.isVerified == true && isMailForwarded }
}

/// The tie between an account and a person at Apple.
public struct AppleLink: Hashable, Sendable {
    /// The person at Apple.
    public let person: ApplePerson
    /// The client they signed in with last.
    public var clientID: ClientID
    /// When the tie was made, or made anew after the person had stopped using the app.
    public var linkedAt: Date
    /// When the person agreed last, by Apple's clock: the time of the latest identity token.
    public var consentedAt: Date
    /// When the person stopped using the app at Apple; nil while they agree.
    public var revokedAt: Date?

    /// Makes a tie's description.
    ///
    /// - Parameters:
    ///   - person: the person at Apple.
    ///   - clientID: the client they signed in with last.
    ///   - linkedAt: when the tie was made.
    ///   - consentedAt: when the person agreed last, by Apple's clock.
    ///   - revokedAt: when the person stopped using the app at Apple.
    public init(
        person: ApplePerson,
        clientID: ClientID,
        linkedAt: Date,
        consentedAt: Date,
        revokedAt: Date? = nil
    ) {
        self.person = person
        self.clientID = clientID
        self.linkedAt = linkedAt
        self.consentedAt = consentedAt
        self.revokedAt = revokedAt
    }
}

/// A person as one issuer knows them: the key by which an account is found.
public struct ApplePerson: Hashable, Sendable {
    /// Who issued the identity.
    public let issuer: String
    /// The person's `sub`, the same in all apps of a team.
    public let user: UserID

    /// Names a person.
    ///
    /// - Parameters:
    ///   - issuer: who issued the identity.
    ///   - user: the person's `sub`.
    public init(issuer: String, user: UserID) {
        self.issuer = issuer
        self.user = user
    }

    /// The person's name where the person themselves must not be known any more.
    public var hash: SecretHash { SecretHash(ofParts: [issuer, user.rawValue]) }
}

/// An address as an identity token tells it.
public struct EmailAddress: Hashable, Sendable {
    /// The address.
    public let text: String
    /// Whether Apple says that it belongs to the person.
    public let isVerified: Bool
    /// Whether it is one of Apple's relay.
    public let isPrivateRelay: Bool

    /// Makes an address's description.
    ///
    /// - Parameters:
    ///   - text: the address.
    ///   - isVerified: whether Apple says that it belongs to the person.
    ///   - isPrivateRelay: whether it is one of Apple's relay.
    public init(text: String, isVerified: Bool, isPrivateRelay: Bool) {
        self.text = text
        self.isVerified = isVerified
        self.isPrivateRelay = isPrivateRelay
    }
}
