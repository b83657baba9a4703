import Foundation

/// What a server-to-server notification says.
///
/// Decoding proves nothing about who sent it.
///
/// Source: [Processing changes](https://developer.apple.com/documentation/signinwithapple/processing-changes-for-sign-in-with-apple-accounts)
public struct NotificationClaims: Hashable, Sendable, Decodable {
    /// Who issued the notification: `iss`.
    public let issuer: String
    /// The clients it is meant for: `aud`.
    public let audience: Audience
    /// When it ends: `exp`.
    public let expirationTime: Date
    /// When it was made: `iat`.
    public let issuedAt: Date
    /// From when on it may be used, when it says so: `nbf`.
    public let notBefore: Date?
    /// The notification's own name, for recognizing duplicates: `jti`.
    public let notificationID: String
    /// What happened: `events`, which travels as a JSON text inside the JSON.
    public let event: NotificationEvent

    enum CodingKeys: String, CodingKey {
        case issuer = "iss"
        case audience = "aud"
        case expirationTime = "exp"
        case issuedAt = "iat"
        case notBefore = "nbf"
        case notificationID = "jti"
        case event = "events"
    }

    /// Decodes the claims, the event from its JSON text or, as Apple's page shows it, an object.
    ///
    /// - Throws: `DecodingError` when a claim is missing or of another type.
    public init(from decoder: any Decoder) throws {
        let claims = try decoder.container(keyedBy: CodingKeys.self)
        issuer = try claims.decode(String.self, forKey: .issuer)
        audience = try claims.decode(Audience.self, forKey: .audience)
        expirationTime = Date(
            timeIntervalSince1970: try claims.decode(Double.self, forKey: .expirationTime)
        )
        issuedAt = Date(timeIntervalSince1970: try claims.decode(Double.self, forKey: .issuedAt))
        notBefore = try claims.decodeIfPresent(Double.self, forKey: .notBefore)
            .map { Date(timeIntervalSince1970: $0) }
        notificationID = try claims.decode(String.self, forKey: .notificationID)
        if let text = try? claims.decode(String.self, forKey: .event) {
            let json = Data(text.utf8)
            // A decoder leaves unread what nobody asks for, and keeps one of two members of a name;
            // these two refuse whatever another reader might understand otherwise.
            try JSONMemberCheck.check(json)
            _ = try JSONValue(parsing: json)
            event = try JSONDecoder().decode(NotificationEvent.self, from: json)
        } else {
            event = try claims.decode(NotificationEvent.self, forKey: .event)
        }
    }
}
