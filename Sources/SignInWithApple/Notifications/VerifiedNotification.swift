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

extension AppleSignIn {
    /// Verifies a notification that Apple posted to this server.
    ///
    /// Answer 200 when it was acted on, or was acted on before. Act once on each
    /// ``VerifiedNotification/notificationID``: Apple may send one again.
    ///
    /// - Parameter body: the body of the request, as it came.
    /// - Returns: what happened to whom.
    /// - Throws: `SignInError`: `notification_malformed`, a `token_…` code for the first check that
    ///   fails, or `apple_keys_unavailable`, after which the same body can be verified again.
    ///   `CancellationError` when the task is cancelled.
    public func notification(from body: Data) async throws -> VerifiedNotification {
        try await notifications.verify(body)
    }
}
