import Foundation

/// An error response of Apple's endpoints.
///
/// Source: [ErrorResponse](https://developer.apple.com/documentation/signinwithapplerestapi/errorresponse),
/// [RFC 6749, section 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2)
public struct OAuthErrorResponse: Hashable, Sendable {
    /// The error code; unknown codes are kept as Apple sent them.
    ///
    /// There is no literal initializer: a misspelt literal would compile, and never compare equal.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code as it is sent, such as `invalid_grant`.
        public let rawValue: String

        /// Creates a code from the string that is sent.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The raw value.
        public var description: String { rawValue }

        /// The request is malformed.
        public static let invalidRequest = Self(rawValue: "invalid_request")
        /// The client ID or the client secret is wrong.
        public static let invalidClient = Self(rawValue: "invalid_client")
        /// The code or refresh token is invalid, expired, revoked, or issued to another client.
        public static let invalidGrant = Self(rawValue: "invalid_grant")
        /// The client may not use this grant type.
        public static let unauthorizedClient = Self(rawValue: "unauthorized_client")
        /// The grant type is unknown.
        public static let unsupportedGrantType = Self(rawValue: "unsupported_grant_type")
        /// The scope is unknown.
        public static let invalidScope = Self(rawValue: "invalid_scope")
        /// The user pressed Cancel on Apple's page; a code of Apple, not of RFC 6749.
        public static let userCancelledAuthorize = Self(rawValue: "user_cancelled_authorize")
    }

    /// The error code: `error`.
    public var error: Code
    /// Apple's description, which is often missing: `error_description`.
    public var errorDescription: String?

    /// Creates an error response.
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
