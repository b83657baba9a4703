import AppleIdentity
import Foundation

/// A notification of Apple about a user, with verified signature, issuer, client and times.
///
/// Apple may send a notification twice: process each ``notificationID`` once.
///
/// Source: [Processing changes](https://developer.apple.com/documentation/signinwithapple/processing-changes-for-sign-in-with-apple-accounts)
public struct VerifiedNotification: Sendable, Hashable {
    /// The identifier (`jti`), the same when Apple sends the notification again.
    public let notificationID: String
    /// The issuer (`iss`).
    public let issuer: String
    /// The client (`aud`); the event applies to all clients of the same group.
    public let clientID: ClientID
    /// When the notification was issued (`iat`).
    public let issuedAt: Date
    /// When the notification expires (`exp`).
    public let expirationTime: Date
    /// The event: kind, user and time; an unknown kind is passed on as Apple sent it.
    public let event: NotificationEvent

    /// The user's identifier in the developer team.
    public var userID: UserID { event.subject }

    package init(_ claims: NotificationClaims) {
        notificationID = claims.notificationID
        issuer = claims.issuer
        clientID = claims.audience.clients.first ?? ""
        issuedAt = claims.issuedAt
        expirationTime = claims.expirationTime
        event = claims.event
    }
}

extension AppleSignIn {
    /// Verifies a notification that Apple posted to this server.
    ///
    /// Respond with 200 if you have processed it, now or earlier. Process each
    /// ``VerifiedNotification/notificationID`` once: Apple may send a notification again.
    ///
    /// - Parameter body: the body of the request, unchanged.
    /// - Returns: the verified notification.
    /// - Throws: `SignInError`: `notification_malformed`, a `token_…` code for the first check that
    ///   fails, `configuration_invalid` if Apple's URL is invalid, or `apple_keys_unavailable`, after
    ///   which the same body can be verified again. `CancellationError` if the task is cancelled.
    public func notification(from body: Data) async throws -> VerifiedNotification {
        try await notifications.verify(body)
    }
}
