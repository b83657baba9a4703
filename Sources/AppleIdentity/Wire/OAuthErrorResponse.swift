import Foundation

/// What Apple's endpoints answer when they refuse.
///
/// Source: [ErrorResponse](https://developer.apple.com/documentation/signinwithapplerestapi/errorresponse),
/// [RFC 6749, section 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2)
public struct OAuthErrorResponse: Hashable, Sendable {
    /// The kind of refusal; kinds invented later survive.
    ///
    /// No literal makes one: a misspelt word would compile, and never compare equal.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The word on the wire.
        public let rawValue: String

        /// Makes a code from the word on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The word itself.
        public var description: String { rawValue }

        /// The request is malformed.
        public static let invalidRequest = Self(rawValue: "invalid_request")
        /// The client secret is not accepted.
        public static let invalidClient = Self(rawValue: "invalid_client")
        /// The code or refresh token is not accepted.
        public static let invalidGrant = Self(rawValue: "invalid_grant")
        /// The client may not use this grant.
        public static let unauthorizedClient = Self(rawValue: "unauthorized_client")
        /// The grant type is not known.
        public static let unsupportedGrantType = Self(rawValue: "unsupported_grant_type")
        /// The scope is not known.
        public static let invalidScope = Self(rawValue: "invalid_scope")
        /// The person pressed Cancel on Apple's page.
        public static let userCancelledAuthorize = Self(rawValue: "user_cancelled_authorize")
    }

    /// The kind of refusal: `error`.
    public var error: Code
    /// Apple's own words, often missing: `error_description`.
    public var errorDescription: String?

    /// Makes an answer.
    public init(error: Code, errorDescription: String? = nil) {
        self.error = error
        self.errorDescription = errorDescription
    }

    package init(parsing body: Data) throws {
        let answer = JSONFields(try JSONObject(parsing: body))
        error = Code(rawValue: try answer.text("error"))
        errorDescription = try answer.optionalText("error_description")
    }
}
