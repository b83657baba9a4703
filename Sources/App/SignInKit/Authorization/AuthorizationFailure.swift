/// The reason why the system returned no credential.
///
/// Source: [ASAuthorizationError](https://developer.apple.com/documentation/authenticationservices/asauthorizationerror)
public struct AuthorizationFailure: Error, Hashable, Sendable {
    /// The error codes of `ASAuthorizationError`, and errors of this module.
    public enum Kind: Hashable, Sendable {
        /// 1000: the system gives no reason. The hint has the underlying error, if there is one.
        case unknown
        /// 1001: the user closed the sheet.
        case canceled
        /// 1001 with a failure reason: a request with `onlyImmediatelyAvailable` found no stored credential.
        case noCredential
        /// The app has no window over which the sheet could be shown.
        case noWindow
        /// 1002: Apple's response is malformed.
        case invalidResponse
        /// 1003: no authorization provider handles the request.
        case notHandled
        /// 1004: the attempt failed.
        case failed
        /// 1005: the system may not show a sheet now.
        case notInteractive
        /// 1009: the user prefers Sign in with Apple to a new passkey.
        case preferSignInWithApple
        /// A code that this version does not know.
        case other(Int)
    }

    /// The kind of error.
    public var kind: Kind
    /// Details for developers, such as the underlying error.
    ///
    /// Empty if there are none.
    public var hint: String

    /// Creates a failure with the given values.
    ///
    /// - Parameters:
    ///   - kind: the kind of error.
    ///   - hint: details for developers.
    public init(_ kind: Kind, hint: String = "") {
        self.kind = kind
        self.hint = hint
    }

    /// Creates an error from an `ASAuthorizationError` code.
    ///
    /// Unknown codes become ``Kind/other(_:)``.
    ///
    /// - Parameters:
    ///   - code: the code's number.
    ///   - hint: details for developers.
    public init(code: Int, hint: String = "") {
        let kind: Kind =
            switch code {
            case 1000: .unknown
            case 1001: .canceled
            case 1002: .invalidResponse
            case 1003: .notHandled
            case 1004: .failed
            case 1005: .notInteractive
            case 1009: .preferSignInWithApple
            default: .other(code)
            }
        self.init(kind, hint: hint)
    }
}

extension SignInKitError {
    /// Converts the system's error to the client's.
    init(_ failure: AuthorizationFailure) {
        let kind: Kind =
            switch failure.kind {
            case .unknown: .unknown
            case .canceled: .canceled
            case .noCredential: .noCredential
            case .noWindow: .noWindow
            case .invalidResponse: .invalidResponse
            case .notHandled: .notHandled
            case .failed, .other: .failed
            case .notInteractive: .notInteractive
            case .preferSignInWithApple: .preferSignInWithApple
            }
        self.init(kind, hint: failure.hint)
    }
}
