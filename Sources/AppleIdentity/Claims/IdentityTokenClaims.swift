import Foundation

/// What an identity token says.
///
/// Reading proves nothing: only a verifier makes it trustworthy.
///
/// Source: [Identity token](https://developer.apple.com/documentation/signinwithapplejs/authorizationi/id_token)
public struct IdentityTokenClaims: Hashable, Sendable {
    /// Who issued the token: `iss`.
    public internal(set) var issuer: String
    /// The clients the token is meant for: `aud`.
    public internal(set) var audience: Audience
    /// When the token ends: `exp`.
    public internal(set) var expirationTime: Date
    /// When the token was made: `iat`.
    public internal(set) var issuedAt: Date
    /// Before when the token must not be used: `nbf`, which Apple does not send.
    public internal(set) var notBefore: Date?
    /// The person, as the team knows them: `sub`.
    public internal(set) var subject: UserID
    /// The nonce of the request, verbatim: `nonce`.
    public internal(set) var nonce: String?
    /// Whether a missing nonce must fail: `nonce_supported`.
    public internal(set) var nonceSupported: Bool?
    /// The left half of the authorization code's SHA-256: `c_hash`.
    public internal(set) var codeHash: String?
    /// The left half of the access token's SHA-256: `at_hash`.
    public internal(set) var accessTokenHash: String?
    /// When the person authenticated: `auth_time`.
    public internal(set) var authenticationTime: Date?
    /// The person's address, real or relay; nil when missing or empty: `email`.
    public internal(set) var email: String?
    /// Whether Apple verified the address: `email_verified`.
    public internal(set) var emailVerified: Bool?
    /// Whether the address is a private relay address: `is_private_email`, left out when it is not.
    public internal(set) var isPrivateEmail: Bool?
    /// Apple's guess whether the person is real: `real_user_status`.
    public internal(set) var realUserStatus: RealUserStatus?
    /// The person's identifier during a transfer between teams: `transfer_sub`.
    public internal(set) var transferSubject: UserID?
    /// The organization of a Managed Apple Account: `org_id`.
    public internal(set) var organizationID: String?

    /// Claims of which none is filled in; what every token must have holds what no check lets pass.
    init() {
        issuer = ""
        audience = Audience([])
        expirationTime = .distantPast
        issuedAt = .distantFuture
        subject = UserID(rawValue: "")
    }
}

/// Why a payload does not hold the claims expected.
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

/// The clients a token is meant for: one text, or several.
///
/// Source: [RFC 7519, section 4.1.3](https://www.rfc-editor.org/rfc/rfc7519#section-4.1.3)
public struct Audience: Hashable, Sendable {
    /// The clients named, at least one in Apple's tokens.
    public let clients: [ClientID]

    /// Makes an audience.
    public init(_ clients: [ClientID]) { self.clients = clients }

    /// Reads a text or a list of texts; nil when it is something else.
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

/// Apple's guess whether a real person is at the device; values invented later survive.
///
/// Source: [Authenticating users](https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple)
public struct RealUserStatus: RawRepresentable, Hashable, Sendable, Codable {
    /// The number Apple sent.
    public let rawValue: Int

    /// Makes a status from Apple's number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The system can't tell.
    public static let unsupported = RealUserStatus(rawValue: 0)
    /// Apple has not decided; such a person must not be blocked.
    public static let unknown = RealUserStatus(rawValue: 1)
    /// Very likely a real person.
    public static let likelyReal = RealUserStatus(rawValue: 2)
}
