import AppleIdentity
import Foundation

/// What Apple tells about a person, by a notification whose every check passed; only the verifier makes one.
///
/// Apple may send one twice: act on each ``notificationID`` once.
///
/// Source: [Processing changes](https://developer.apple.com/documentation/signinwithapple/processing-changes-for-sign-in-with-apple-accounts)
public struct VerifiedNotification: Sendable, Hashable {
    /// The notification's own name, the same when Apple sends it again.
    public let notificationID: String
    /// Who sent it.
    public let issuer: String
    /// The client it is about; the event counts for all clients of the same group.
    public let clientID: ClientID
    /// When the notification was made.
    public let issuedAt: Date
    /// When it ends.
    public let expirationTime: Date
    /// What happened, to whom and when; a kind invented later is kept in Apple's word.
    public let event: NotificationEvent

    /// The person, as the developer team knows them.
    public var user: UserID { event.subject }

    init(_ claims: NotificationClaims) {
        notificationID = claims.notificationID
        issuer = claims.issuer
        clientID = claims.audience.clients.first ?? ""
        issuedAt = claims.issuedAt
        expirationTime = claims.expirationTime
        event = claims.event
    }
}
