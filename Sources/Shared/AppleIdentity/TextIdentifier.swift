/// A string identifier with its own type: a team ID cannot be passed in place of a key ID.
public protocol TextIdentifier: RawRepresentable, Hashable, Codable, Sendable,
    ExpressibleByStringLiteral, CustomStringConvertible
where RawValue == String {
    /// Creates the identifier from its string, compared case-sensitively and never normalized.
    init(rawValue: String)
}

extension TextIdentifier {
    /// Creates the identifier from its string.
    public init(_ text: String) { self.init(rawValue: text) }

    /// Creates the identifier from a literal in source code.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// The raw value.
    public var description: String { rawValue }
}

/// A client identifier: the bundle identifier of an app, or the Services ID of a web site.
///
/// Source: [Token validation](https://developer.apple.com/documentation/signinwithapplerestapi/generate-and-validate-tokens)
public struct ClientID: TextIdentifier {
    /// The client ID, such as `com.example.app`.
    public let rawValue: String

    /// Creates the identifier from its string.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A user's identifier in one developer team: the token's `sub`, opaque and case-sensitive.
///
/// Source: [Identity token](https://developer.apple.com/documentation/signinwithapplejs/authorizationi/id_token)
public struct UserID: TextIdentifier {
    /// The identifier as Apple sends it.
    public let rawValue: String

    /// Creates the identifier from its string.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The identifier of a developer team, such as `DEF123GHIJ`.
///
/// Source: [Creating a client secret](https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret)
public struct TeamID: TextIdentifier {
    /// The team ID: ten capital letters or digits.
    public let rawValue: String

    /// Creates the identifier from its string.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension TeamID {
    /// Whether the identifier has Apple's form: ten capital letters or digits.
    public var isWellFormed: Bool { rawValue.isTenCapitalsOrDigits }
}

/// The identifier of a key (`kid`): of a client secret's key, or of one in Apple's key set.
///
/// Source: [RFC 7515, section 4.1.4](https://www.rfc-editor.org/rfc/rfc7515#section-4.1.4)
public struct KeyID: TextIdentifier {
    /// The key ID, such as `ABC123DEFG`.
    public let rawValue: String

    /// Creates the identifier from its string.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension KeyID {
    /// Whether the identifier has the form of a client secret's key: ten capital letters or digits.
    public var isWellFormed: Bool { rawValue.isTenCapitalsOrDigits }
}

extension String {
    var isTenCapitalsOrDigits: Bool {
        utf8.count == 10
            && utf8.allSatisfy {
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
    }
}

/// A scope: what an app requests from a user.
///
/// Source: [Request an authorization](https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server.)
public struct Scope: TextIdentifier {
    /// The scope as the request has it, such as `email`.
    public let rawValue: String

    /// Creates the identifier from its string.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension Scope {
    /// The user's name, which Apple sends once, with the first authorization.
    public static let name: Scope = "name"
    /// The user's email address, which every identity token then contains.
    public static let email: Scope = "email"
    /// The scope `openid`, which Apple accepts without an effect.
    public static let openid: Scope = "openid"
}
