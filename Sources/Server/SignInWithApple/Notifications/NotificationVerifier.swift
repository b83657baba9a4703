import AppleIdentity
import Foundation
import SignedTokens

/// Verifies the body of a notification.
///
/// Source: [Processing changes](https://developer.apple.com/documentation/signinwithapple/processing-changes-for-sign-in-with-apple-accounts)
struct NotificationVerifier: Sendable {
    let keys: KeyCache
    let issuer: String
    let clientIDs: Set<ClientID>
    let time: TimeSource

    func verify(_ body: Data) async throws -> VerifiedNotification {
        do {
            let claims = try await claims(in: NotificationBody(body).payload)
            try claims.checkName()
            let rules = TokenRules(issuer: issuer, clientIDs: clientIDs, now: time.now)
            for check in TokenCheck.allCases { try check.apply(rules, to: claims) }
            return VerifiedNotification(claims)
        } catch let error as SignInError {
            throw error.worded(for: .notification)
        }
    }

    private func claims(in compact: String) async throws -> NotificationClaims {
        let received = try ReceivedToken(compact, issuer: issuer)
        let key = try await keys.key(of: received)
        let payload = try received.verified(with: key).payload
        do {
            return try NotificationClaims(payload)
        } catch {
            throw SignInError(notification: error)
        }
    }
}

extension NotificationClaims {
    /// The maximum size of a notification's identifier, in bytes; Apple's have 22.
    private static let maximumNotificationIDByteCount = 255

    func checkName() throws(SignInError) {
        guard (1...Self.maximumNotificationIDByteCount).contains(notificationID.utf8.count) else {
            throw SignInError(.tokenMalformed, hint: "its jti is empty or too long")
        }
    }
}

/// The JSON that Apple posts: an object with the signed notification as its `payload`.
///
/// Other members are ignored, because Apple may add some.
struct NotificationBody {
    /// The maximum size of a body, in bytes; Apple's have about a thousand.
    static let maximumByteCount = 32 * 1024

    let payload: String

    init(_ body: Data) throws(SignInError) {
        let object: JSONObject
        do {
            let limits = JSONLimits(maximumByteCount: Self.maximumByteCount)
            object = try JSONObject(parsing: body, limits: limits)
        } catch {
            throw Self.malformed("the body is not acceptable JSON: \(error)")
        }
        guard let payload = object["payload"]?.stringValue, !payload.isEmpty else {
            // App Store Server Notifications, version 2, have only this member.
            // https://developer.apple.com/documentation/appstoreservernotifications/responsebodyv2
            guard object["signedPayload"] == nil else { throw Self.ofAppStore }
            throw Self.malformed("the body has no string \"payload\"")
        }
        self.payload = payload
    }

    private static let ofAppStore = SignInError(
        .notificationMalformed,
        message: "This is an App Store server notification, not a Sign in with Apple notification.",
        hint:
            "the body has \"signedPayload\", as App Store server notifications have; correct their"
            + " URL in App Store Connect"
    )

    private static func malformed(_ hint: String) -> SignInError {
        SignInError(.notificationMalformed, hint: hint)
    }
}
