import AppleIdentity
import Foundation

/// A session of the account, as the server lists it: `GET /api/sessions`.
public struct SessionSummary: Hashable, Sendable, Codable, Identifiable {
    /// The session's identifier, with which it can be ended.
    public var id: String
    /// The device's name.
    public var device: String
    /// Whether it is the session of this device.
    public var isCurrent: Bool
    /// The sign-in method that opened it: `apple` or `password`; nil if the server does not send it.
    public var signInMethod: String?
    /// When it began.
    public var createdAt: Date
    /// When the user last signed in for this session.
    public var signedInAt: Date
    /// When it was used last.
    public var lastUsedAt: Date
    /// When the session expires.
    public var expiresAt: Date

    init(_ fields: JSONFields) throws(JSONFieldError) {
        id = try fields.text("id")
        device = try fields.optionalText("device") ?? ""
        isCurrent = try fields.optionalBoolean("current") ?? false
        signInMethod = try fields.optionalText("signInMethod")
        createdAt = try fields.date("createdAt")
        signedInAt = try fields.date("signedInAt")
        lastUsedAt = try fields.date("lastUsedAt")
        expiresAt = try fields.date("expiresAt")
    }
}
