import Foundation

/// The domain of ``ASAuthorizationError``.
public let ASAuthorizationErrorDomain = "com.apple.AuthenticationServices.AuthorizationError"

/// An error of an authorization request.
///
/// Source: [ASAuthorizationError](https://developer.apple.com/documentation/authenticationservices/asauthorizationerror-swift.struct)
public struct ASAuthorizationError: CustomNSError, Hashable, Sendable {
    /// The codes of these errors.
    public enum Code: Int, Sendable {
        /// Unspecified: for example no Apple Account, entitlement or two-factor authentication.
        case unknown = 1000
        /// The user cancelled, or only available credentials were requested and there are none.
        case canceled = 1001
        /// The service's response is invalid.
        case invalidResponse = 1002
        /// There is no handler for the request.
        case notHandled = 1003
        /// The attempt failed.
        case failed = 1004
        /// The request needs user interaction, which is not possible.
        case notInteractive = 1005
        /// The device has a passkey that the request excludes.
        case matchedExcludedCredential = 1006
        /// Credentials could not be imported.
        case credentialImport = 1007
        /// Credentials could not be exported.
        case credentialExport = 1008
        /// The user prefers Sign in with Apple to a new passkey.
        case preferSignInWithApple = 1009
        /// The device can't create passkeys.
        case deviceNotConfiguredForPasskeyCreation = 1010

        /// Whether an error has this code, for `catch`.
        public static func ~= (code: Code, error: any Error) -> Bool {
            (error as? ASAuthorizationError)?.code == code
        }
    }

    private let stored: NSError
    /// The error code.
    public let code: Code

    /// Creates an error with a code.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        stored = NSError(domain: Self.errorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// The domain of these errors.
    public static var errorDomain: String { ASAuthorizationErrorDomain }
    /// The number of the code.
    public var errorCode: Int { code.rawValue }
    /// The user info dictionary of the error.
    public var userInfo: [String: Any] { stored.userInfo }
    /// The user info dictionary of the error.
    public var errorUserInfo: [String: Any] { stored.userInfo }
    /// A description of the error.
    public var localizedDescription: String { stored.localizedDescription }
}

extension ASAuthorizationError {
    /// ``Code/unknown``.
    public static var unknown: Code { .unknown }
    /// ``Code/canceled``.
    public static var canceled: Code { .canceled }
    /// ``Code/invalidResponse``.
    public static var invalidResponse: Code { .invalidResponse }
    /// ``Code/notHandled``.
    public static var notHandled: Code { .notHandled }
    /// ``Code/failed``.
    public static var failed: Code { .failed }
    /// ``Code/notInteractive``.
    public static var notInteractive: Code { .notInteractive }
    /// ``Code/matchedExcludedCredential``.
    public static var matchedExcludedCredential: Code { .matchedExcludedCredential }
    /// ``Code/credentialImport``.
    public static var credentialImport: Code { .credentialImport }
    /// ``Code/credentialExport``.
    public static var credentialExport: Code { .credentialExport }
    /// ``Code/preferSignInWithApple``.
    public static var preferSignInWithApple: Code { .preferSignInWithApple }
    /// ``Code/deviceNotConfiguredForPasskeyCreation``.
    public static var deviceNotConfiguredForPasskeyCreation: Code {
        .deviceNotConfiguredForPasskeyCreation
    }

    /// No available credential, without a sheet; the reason differs from that of a cancelled one.
    static let nothingAvailable = ASAuthorizationError(
        .canceled,
        userInfo: [NSLocalizedFailureReasonErrorKey: "No credentials available for login."]
    )
    /// The code below `unknown`, as reported from devices: [-7026](https://github.com/lupidan/apple-signin-unity/issues/12).
    static let noEntitlement = ASAuthorizationError(.unknown, below: -7026)
    /// The code below `unknown`, as reported from devices: [-7034](https://github.com/GetStream/sign-in-with-apple-swift-example/issues/1).
    static let noTwoFactor = ASAuthorizationError(.unknown, below: -7034)

    private init(_ code: Code, below number: Int) {
        let cause = NSError(domain: "AKAuthenticationError", code: number)
        self.init(code, userInfo: [NSUnderlyingErrorKey: cause])
    }

    /// Creates an error with a description for developers.
    init(_ code: Code, because sentence: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: sentence])
    }
}
