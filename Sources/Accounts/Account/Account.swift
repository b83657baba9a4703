import AppleIdentity
import Foundation

/// One person's account.
public struct Account: Hashable, Sendable {
    /// The account's own name; the address and Apple's identifier may change, this does not.
    public let id: AccountID
    /// What the person wants to be called, as they gave it.
    public let name: String?
    /// The address from the latest identity token that had one.
    public let email: String?
    /// Whether Apple said that the address belongs to the person.
    public let emailIsVerified: Bool
    /// Whether the address is one of Apple's relay.
    public let emailIsPrivateRelay: Bool
    /// Whether mail to the address is expected to arrive: there is one, it is verified, and forwarding is
    /// not off.
    public let emailDeliverable: Bool
    /// The name for signing in with a password, when the account has one.
    public let username: String?
    /// The Apple identity that opens the account.
    public let apple: AppleLink?
    /// When the account was made.
    public let createdAt: Date

    /// Makes an account's description.
    public init(
        id: AccountID,
        name: String?,
        email: String?,
        emailIsVerified: Bool,
        emailIsPrivateRelay: Bool,
        emailDeliverable: Bool,
        username: String?,
        apple: AppleLink?,
        createdAt: Date
    ) {
        self.id = id
        self.name = name
        self.email = email
        self.emailIsVerified = emailIsVerified
        self.emailIsPrivateRelay = emailIsPrivateRelay
        self.emailDeliverable = emailDeliverable
        self.username = username
        self.apple = apple
        self.createdAt = createdAt
    }
}

/// The tie between an account and a person at Apple.
public struct AppleLink: Hashable, Sendable {
    /// The person, as the developer team knows them.
    public let user: UserID
    /// The client they signed in with last.
    public let clientID: ClientID
    /// When the tie was made, or made anew after the person had stopped using the app.
    public let linkedAt: Date
    /// When the person stopped using the app at Apple; nil while they agree.
    public let revokedAt: Date?

    /// Makes a tie's description.
    public init(user: UserID, clientID: ClientID, linkedAt: Date, revokedAt: Date? = nil) {
        self.user = user
        self.clientID = clientID
        self.linkedAt = linkedAt
        self.revokedAt = revokedAt
    }
}
