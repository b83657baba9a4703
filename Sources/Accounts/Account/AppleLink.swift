import AppleIdentity
import Foundation

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
