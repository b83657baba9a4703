import Foundation

/// The claims of a server-to-server notification, decoded but not verified.
///
/// Decoding does not verify who sent it.
///
/// Source: [Processing changes](https://developer.apple.com/documentation/signinwithapple/processing-changes-for-sign-in-with-apple-accounts)
public struct NotificationClaims: Hashable, Sendable {
    /// The issuer: `iss`.
    public let issuer: String
    /// The clients that the notification is issued for: `aud`.
    public let audience: Audience
    /// When the notification expires: `exp`.
    public let expirationTime: Date
    /// When the notification was issued: `iat`.
    public let issuedAt: Date
    /// The time before which it is not valid, if present: `nbf`.
    public let notBefore: Date?
    /// The identifier, for detecting duplicates: `jti`.
    public let notificationID: String
    /// The event: `events`, which Apple sends as a string that contains JSON.
    public let event: NotificationEvent

    /// Reads the claims, with the event from a string or, as on Apple's page, an object.
    ///
    /// - Parameter payload: a token's payload.
    /// - Throws: ``ClaimsError``; for a payload without events ``ClaimsError/otherKind``, even if
    ///   other claims are invalid as well.
    package init(_ payload: Data) throws(ClaimsError) {
        let object = try Self.object(payload)
        // RFC 8725, section 3.12: rules for different kinds of tokens must exclude each other.
        // https://www.rfc-editor.org/rfc/rfc8725#section-3.12
        guard let events = object["events"] else { throw .otherKind }
        guard
            let event = try events.stringValue.map({ text throws(ClaimsError) in
                try Self.object(Data(text.utf8))
            }) ?? events.objectValue
        else { throw .wrongType("events") }
        do {
            let fields = JSONFields(object)
            issuer = try fields.text("iss")
            audience = try fields.require("aud", fields.optional("aud", "a string", Audience.init))
            expirationTime = try fields.time("exp")
            issuedAt = try fields.time("iat")
            notBefore = try fields.optional("nbf", "a number", \.timeValue)
            notificationID = try fields.text("jti")
            self.event = try NotificationEvent(JSONFields(event, path: "events."))
        } catch {
            throw ClaimsError(error)
        }
    }

    private static func object(_ text: Data) throws(ClaimsError) -> JSONObject {
        do {
            return try JSONObject(parsing: text)
        } catch {
            throw .unreadable(error)
        }
    }
}
