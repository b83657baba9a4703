/// A text whose meaning comes from its type, so that a team cannot be passed where a key is meant.
public protocol TextIdentifier: RawRepresentable, Hashable, Codable, Sendable,
    ExpressibleByStringLiteral, CustomStringConvertible
where RawValue == String {
    /// Makes the identifier from its text, compared case-sensitively and never normalized.
    init(rawValue: String)
}

extension TextIdentifier {
    /// Makes the identifier from a text.
    public init(_ text: String) { self.init(rawValue: text) }

    /// Makes the identifier from a literal in source code.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// The text itself.
    public var description: String { rawValue }
}

/// The bundle identifier of an app, or the Services ID of a web site.
///
/// Source: [Token validation](https://developer.apple.com/documentation/signinwithapplerestapi/generate-and-validate-tokens)
public struct ClientID: TextIdentifier {
    /// The identifier's text.
    public let rawValue: String

    /// Makes the identifier from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A person as one developer team knows them: the token's `sub`, opaque and case-sensitive.
///
/// Source: [Identity token](https://developer.apple.com/documentation/signinwithapplejs/authorizationi/id_token)
public struct UserID: TextIdentifier {
    /// The identifier's text.
    public let rawValue: String

    /// Makes the identifier from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The ten characters that name a developer team.
///
/// Source: [Creating a client secret](https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret)
public struct TeamID: TextIdentifier {
    /// The identifier's text.
    public let rawValue: String

    /// Makes the identifier from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension TeamID {
    /// Whether the text has the form Apple gives: ten capital letters or digits.
    public var isWellFormed: Bool { rawValue.isTenCapitalsOrDigits }
}

/// The name of a key: of a client secret's key, or of one in Apple's key set.
///
/// Source: [RFC 7515, section 4.1.4](https://www.rfc-editor.org/rfc/rfc7515#section-4.1.4)
public struct KeyID: TextIdentifier {
    /// The identifier's text.
    public let rawValue: String

    /// Makes the identifier from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension KeyID {
    /// Whether the text has the form of a client secret's key: ten capital letters or digits.
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

/// What an app asks a person to share.
///
/// Source: [Request an authorization](https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server.)
public struct Scope: TextIdentifier {
    /// The identifier's text.
    public let rawValue: String

    /// Makes the identifier from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension Scope {
    /// The person's name, told once, beside the token.
    public static let name: Scope = "name"
    /// The person's e-mail address, told in each identity token.
    public static let email: Scope = "email"
    /// Accepted by Apple and without effect.
    public static let openid: Scope = "openid"
}
