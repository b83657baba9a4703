import AppleIdentity
import Logging
import SignedTokens

/// Why a sign-in, or an exchange with Apple, did not succeed.
///
/// Two errors are equal when their codes are: the hint is for people who operate the server.
public struct SignInError: Error, Sendable {
    /// What went wrong, as a stable word for programs.
    public let code: Code
    /// What may be told to the person or app that asked; it names no secret and no internals.
    public let message: String
    /// What an operator needs to know; never a secret or a token, and not for the public.
    public let hint: String
    /// Whether the same request may succeed later.
    public let isRetryable: Bool
    /// How long to wait before the next try, when that is known.
    public let retryAfter: Duration?

    /// Why Apple may have refused, the likeliest first.
    ///
    /// Empty unless the code is `apple_refused_client`, `apple_refused_grant` or
    /// `apple_refused_request`. For operators, as the hint is.
    public let causes: [RefusalCause]

    /// What Apple answered, word by word, when it refused.
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
    /// The code and the public sentence.
    public var description: String { "\(code): \(message)" }

    /// The same with the hint, for developers: a program that ends by this error prints it.
    public var debugDescription: String { "\(description) (\(hint))" }
}

extension SignInError {
    /// How loudly a server tells of a refusal.
    package static func logLevel(ofStatus status: Int, code: String) -> Logger.Level {
        // Apple did answer: a stranger's junk token is no trouble of this server's.
        guard code != Code.tokenKeyNotPublished.rawValue else { return .notice }
        return status >= 500 ? .error : .notice
    }
}

extension SignInError {
    /// Tells the refusal of a token in this library's words.
    init(_ error: SignedTokenError) {
        switch error {
        case .tooLong(let byteCount, let limit):
            self.init(.tokenTooLong, hint: "it has \(byteCount) bytes, and \(limit) are allowed")
        case .malformed(let reason): self.init(.tokenMalformed, hint: reason)
        case .unsupportedAlgorithm(let name):
            self.init(
                .tokenUnsupportedAlgorithm,
                hint: "its header names \(Excerpt.quoting(name)); Apple signs with RS256"
            )
        case .algorithmMismatch(let token, let key):
            self.init(
                .tokenUnsupportedAlgorithm,
                hint: "it is made for \(token.rawValue), the key for \(key.rawValue)"
            )
        case .criticalExtension:
            self.init(.tokenMalformed, hint: "its header has a critical extension; Apple has none")
        case .invalidSignature:
            self.init(
                .tokenSignatureInvalid,
                hint: "the key named in its header did not sign these bytes"
            )
        case .unusableKey(let reason):
            self.init(.appleKeysUnavailable, hint: "the key can't be used: \(reason)")
        }
    }
}

extension SignInError {
    /// Tells why claims are refused.
    init(_ error: ClaimsError, otherKind: String = Self.notificationHint) {
        switch error {
        case .otherKind: self.init(.tokenWrongKind, hint: otherKind)
        case .unreadable(let error):
            self.init(.tokenMalformed, hint: "its payload is refused: \(error)")
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
        "it is a server-to-server notification: it carries \"events\""

    /// Tells why the claims of a notification are refused.
    init(notification error: ClaimsError) {
        self.init(
            error,
            otherKind: "it carries no \"events\"; an identity token is no notification"
        )
    }
}
