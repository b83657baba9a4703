import Foundation

/// What a server-to-server notification says.
///
/// Reading proves nothing about who sent it.
///
/// Source: [Processing changes](https://developer.apple.com/documentation/signinwithapple/processing-changes-for-sign-in-with-apple-accounts)
public struct NotificationClaims: Hashable, Sendable {
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

    /// Reads the claims, the event from its JSON text or, as Apple's page shows it, an object.
    ///
    /// - Parameter payload: a token's payload.
    /// - Throws: ``ClaimsError``; of a payload without events ``ClaimsError/otherKind``, whatever
    ///   else is wrong with its claims.
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
            audience = try fields.require("aud", fields.optional("aud", "a text", Audience.init))
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
