import Foundation

/// The claims of an identity token, decoded but not verified.
///
/// Decoding does not check the signature: only `AppleSignIn.verify` does.
///
/// Source: [Identity token](https://developer.apple.com/documentation/signinwithapplejs/authorizationi/id_token)
public struct IdentityTokenClaims: Hashable, Sendable {
    /// The issuer: `iss`.
    public internal(set) var issuer: String
    /// The clients that the token is issued for: `aud`.
    public internal(set) var audience: Audience
    /// When the token expires: `exp`.
    public internal(set) var expirationTime: Date
    /// When the token was issued: `iat`.
    public internal(set) var issuedAt: Date
    /// The time before which the token is not valid: `nbf`, which Apple does not send.
    public internal(set) var notBefore: Date?
    /// The user's identifier in the developer team: `sub`.
    public internal(set) var subject: UserID
    /// The nonce of the request, unchanged: `nonce`.
    public internal(set) var nonce: String?
    /// Whether the platform supports nonces, so a missing one must be rejected: `nonce_supported`.
    public internal(set) var nonceSupported: Bool?
    /// The left half of the authorization code's SHA-256 in base64url: `c_hash`.
    public internal(set) var codeHash: String?
    /// The left half of the access token's SHA-256 in base64url: `at_hash`.
    public internal(set) var accessTokenHash: String?
    /// When the user authenticated: `auth_time`.
    public internal(set) var authenticationTime: Date?
    /// The user's email address, real or private relay; nil if it is missing or empty: `email`.
    public internal(set) var email: String?
    /// Whether Apple verified the email address: `email_verified`.
    public internal(set) var emailVerified: Bool?
    /// Whether the email address is a private relay address: `is_private_email`, often missing.
    public internal(set) var isPrivateEmail: Bool?
    /// Apple's estimate whether the user is a real person: `real_user_status`.
    public internal(set) var realUserStatus: RealUserStatus?
    /// The user's identifier during a transfer of the app to another team: `transfer_sub`.
    public internal(set) var transferSubject: UserID?
    /// The organization of a Managed Apple Account: `org_id`.
    public internal(set) var organizationID: String?

    /// Creates empty claims; the required ones have values that no check accepts.
    init() {
        issuer = ""
        audience = Audience([])
        expirationTime = .distantPast
        issuedAt = .distantFuture
        subject = UserID(rawValue: "")
    }
}

/// An error of the claims in a payload.
package enum ClaimsError: Error, Hashable, Sendable {
    /// It is not JSON, or not acceptable.
    case unreadable(JSONError)
    /// It belongs to another kind of token.
    case otherKind
    case missing(String)
    case wrongType(String)

    init(_ error: JSONFieldError) {
        self =
            switch error {
            case .missing(let name): .missing(name)
            case .wrongType(let name, _), .unknown(let name, _): .wrongType(name)
            }
    }
}

/// The clients that a token is issued for: one string, or several.
///
/// Source: [RFC 7519, section 4.1.3](https://www.rfc-editor.org/rfc/rfc7519#section-4.1.3)
public struct Audience: Hashable, Sendable {
    /// The client IDs; Apple's tokens have at least one.
    public let clients: [ClientID]

    /// Creates an audience.
    public init(_ clients: [ClientID]) { self.clients = clients }

    /// Reads a string or an array of strings; nil for anything else.
    package init?(_ value: JSONValue) {
        if let one = value.stringValue {
            clients = [ClientID(rawValue: one)]
        } else if let several = value.textsValue {
            clients = several.map(ClientID.init(rawValue:))
        } else {
            return nil
        }
    }
}

/// Apple's estimate whether the user is a real person; unknown values are kept.
///
/// Source: [Authenticating users](https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple)
public struct RealUserStatus: RawRepresentable, Hashable, Sendable, Codable {
    /// The number that Apple sent.
    public let rawValue: Int

    /// Creates a status from Apple's number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The platform does not support the estimate.
    public static let unsupported = RealUserStatus(rawValue: 0)
    /// Apple could not decide; do not block the user.
    public static let unknown = RealUserStatus(rawValue: 1)
    /// The user is very likely a real person.
    public static let likelyReal = RealUserStatus(rawValue: 2)
}
