/// Why the system gave no credential.
///
/// Source: [ASAuthorizationError](https://developer.apple.com/documentation/authenticationservices/asauthorizationerror)
public struct AuthorizationFailure: Error, Hashable, Sendable {
    /// The system's codes, and what can go wrong beside them.
    public enum Kind: Hashable, Sendable {
        /// 1000: the system gives no reason. The hint has the underlying error, if there is one.
        case unknown
        /// 1001: the person closed the sheet.
        case canceled
        /// 1001 with a reason, for a request that shows nothing when nothing is stored: nothing is.
        case noCredential
        /// The app has no window over which the sheet could be shown.
        case noWindow
        /// 1002: Apple's service answered something malformed.
        case invalidResponse
        /// 1003: nobody handles the request.
        case notHandled
        /// 1004: the attempt failed.
        case failed
        /// 1005: a sheet was needed, and none may be shown now.
        case notInteractive
        /// 1009: the person prefers an existing sign-in with Apple.
        case preferSignInWithApple
        /// A code that this version does not know.
        case other(Int)
    }

    /// What happened.
    public var kind: Kind
    /// What to look at, for developers.
    public var hint: String

    /// Makes a failure.
    ///
    /// - Parameters:
    ///   - kind: what happened.
    ///   - hint: what to look at, for developers.
    public init(_ kind: Kind, hint: String = "") {
        self.kind = kind
        self.hint = hint
    }

    /// Reads a code of `ASAuthorizationError`.
    ///
    /// - Parameters:
    ///   - code: the code's number.
    ///   - hint: what to look at, for developers.
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
    /// What the system said, for whoever called.
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
