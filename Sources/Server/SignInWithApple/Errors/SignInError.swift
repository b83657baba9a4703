import AppleIdentity
import Logging
import SignedTokens

/// An error of a sign-in or of a request to Apple.
///
/// Two errors are equal if their codes are equal. Messages and hints are not compared.
public struct SignInError: Error, Sendable {
    /// The error code, which does not change between versions.
    public let code: Code
    /// A message in English that is safe to show to the user or the app.
    public let message: String
    /// Details for the server's log, without secrets and tokens, and not for users.
    public let hint: String
    /// Whether the same request may succeed later.
    public let isRetryable: Bool
    /// How long to wait before a retry, such as Apple's `Retry-After`; nil if unknown.
    public let retryAfter: Duration?

    /// The possible causes of Apple's error, most likely first.
    ///
    /// Empty unless the code is `apple_refused_client`, `apple_refused_grant` or
    /// `apple_refused_request`. For operators, like the hint.
    public let causes: [RefusalCause]

    /// Apple's error response, unchanged.
    let refusal: OAuthErrorResponse?

    package init(
        _ code: Code,
        message: String? = nil,
        hint: String,
        retryAfter: Duration? = nil,
        refusal: OAuthErrorResponse? = nil,
        causes: [RefusalCause] = []
    ) {
        self.code = code
        self.hint = hint
        self.causes = causes
        self.refusal = refusal
        self.retryAfter = retryAfter
        self.message = message ?? code.message
        isRetryable = code.isRetryable
    }
}

extension SignInError: Hashable {
    /// Compares the codes only.
    public static func == (left: SignInError, right: SignInError) -> Bool {
        left.code == right.code
    }

    /// Hashes the code only.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension SignInError: CustomStringConvertible, CustomDebugStringConvertible {
    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    /// The description and the hint, as Swift prints them when a program ends with this error.
    public var debugDescription: String { "\(description) (\(hint))" }
}

extension SignInError {
    /// The level at which a server logs an error response.
    package static func logLevel(ofStatus status: Int, code: String) -> Logger.Level {
        // Apple did respond: a foreign token with an invented key is not this server's error.
        guard code != Code.tokenKeyNotPublished.rawValue else { return .notice }
        return status >= 500 ? .error : .notice
    }
}

extension SignInError {
    init(_ error: SignedTokenError) {
        switch error {
        case .tooLong(let byteCount, let limit):
            self.init(
                .tokenTooLong,
                hint: "it has \(byteCount) bytes; at most \(limit) are allowed"
            )
        case .malformed(let reason): self.init(.tokenMalformed, hint: reason)
        case .unsupportedAlgorithm(let name):
            self.init(
                .tokenUnsupportedAlgorithm,
                hint: "its header names \(Excerpt.quoting(name)), neither RS256 nor ES256"
            )
        case .algorithmMismatch(let token, let key):
            self.init(
                .tokenUnsupportedAlgorithm,
                hint: "it uses \(token.rawValue), but the key is for \(key.rawValue)"
            )
        case .criticalExtension:
            self.init(.tokenMalformed, hint: "its header has crit, which is not supported")
        case .invalidSignature:
            self.init(
                .tokenSignatureInvalid,
                hint: "the signature does not match the key that its header names"
            )
        case .unusableKey(let reason):
            self.init(.appleKeysUnavailable, hint: "the key cannot be used: \(reason)")
        }
    }
}

extension SignInError {
    init(_ error: ClaimsError, otherKind: String = Self.notificationHint) {
        switch error {
        case .otherKind: self.init(.tokenWrongKind, hint: otherKind)
        case .unreadable(let error):
            self.init(.tokenMalformed, hint: "its payload is invalid: \(error)")
        case .missing(let name):
            self.init(.tokenMalformed, hint: "its claim \(Excerpt.quoting(name)) is missing")
        case .wrongType(let name):
            self.init(
                .tokenMalformed,
                hint: "its claim \(Excerpt.quoting(name)) has the wrong type"
            )
        }
    }

    private static let notificationHint =
        "it is a server-to-server notification: it has the claim \"events\""

    init(notification error: ClaimsError) {
        self.init(
            error,
            otherKind: "it has no claim \"events\": an identity token is not a notification"
        )
    }
}
