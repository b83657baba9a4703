import AppleIdentity
import Foundation
import SignedTokens

/// A signed payload read once: whether it is a notification's, and its claims.
struct NotificationPayload: Decodable {
    private let isNotification: Bool
    private let content: Result<NotificationClaims, any Error>

    private enum CodingKeys: CodingKey {
        case events
    }

    init(_ payload: Data) throws(SignInError) {
        do {
            self = try StrictJSON.decode(NotificationPayload.self, from: payload)
        } catch {
            throw SignInError(.tokenMalformed, hint: "its payload is not a JSON object")
        }
        try UniqueClaims.check(payload)
    }

    init(from decoder: any Decoder) throws {
        isNotification = try decoder.container(keyedBy: CodingKeys.self).contains(.events)
        content = Result { try NotificationClaims(from: decoder) }
    }

    func claims() throws(SignInError) -> NotificationClaims {
        // RFC 8725, section 3.12: rules for different kinds of tokens must exclude each other.
        // https://www.rfc-editor.org/rfc/rfc8725#section-3.12
        guard isNotification else {
            throw SignInError(
                .tokenWrongKind,
                hint: "it carries no \"events\"; an identity token is no notification"
            )
        }
        switch content {
        case .success(let claims): return claims
        case .failure:
            throw SignInError(
                .tokenMalformed,
                hint: "a claim of it, or a member of its event, is missing or of the wrong type"
            )
        }
    }
}
