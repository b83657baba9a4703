import Foundation

/// The domain of ``ASAuthorizationError``.
public let ASAuthorizationErrorDomain = "com.apple.AuthenticationServices.AuthorizationError"

/// Why an authorization ended without a credential.
///
/// Source: [ASAuthorizationError](https://developer.apple.com/documentation/authenticationservices/asauthorizationerror-swift.struct)
public struct ASAuthorizationError: CustomNSError, Hashable, Sendable {
    /// The reason.
    public enum Code: Int, Sendable {
        /// Something that the system does not tell: no Apple Account, no entitlement, no second factor.
        case unknown = 1000
        /// The person closed the sheet, or nothing is there and no sheet was to be shown.
        case canceled = 1001
        /// The service answered what can't be read.
        case invalidResponse = 1002
        /// There is no handler for the request.
        case notHandled = 1003
        /// The attempt failed.
        case failed = 1004
        /// The sheet would need a person, and none can be asked.
        case notInteractive = 1005
        /// A passkey that was to be excluded is there.
        case matchedExcludedCredential = 1006
        /// Credentials could not be imported.
        case credentialImport = 1007
        /// Credentials could not be exported.
        case credentialExport = 1008
        /// The person would rather sign in with Apple than make a passkey.
        case preferSignInWithApple = 1009
        /// The device can't make passkeys.
        case deviceNotConfiguredForPasskeyCreation = 1010

        /// Whether an error has this code, for `catch`.
        public static func ~= (code: Code, error: any Error) -> Bool {
            (error as? ASAuthorizationError)?.code == code
        }
    }

    private let stored: NSError
    /// The reason.
    public let code: Code

    /// Makes an error.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        stored = NSError(domain: Self.errorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// The domain of these errors.
    public static var errorDomain: String { ASAuthorizationErrorDomain }
    /// The number of the code.
    public var errorCode: Int { code.rawValue }
    /// What else is told.
    public var userInfo: [String: Any] { stored.userInfo }
    /// What else is told.
    public var errorUserInfo: [String: Any] { stored.userInfo }
    /// What happened, in a sentence.
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

    /// A request that shows nothing when nothing is there: the reason tells it from a sheet that was closed.
    static let nothingAvailable = ASAuthorizationError(
        .canceled,
        userInfo: [NSLocalizedFailureReasonErrorKey: "No credentials available for login."]
    )
    /// As reported from devices: [-7026](https://github.com/lupidan/apple-signin-unity/issues/12) below it.
    static let noEntitlement = ASAuthorizationError(.unknown, below: -7026)
    /// As reported from devices: [-7034](https://github.com/GetStream/sign-in-with-apple-swift-example/issues/1) below it.
    static let noTwoFactor = ASAuthorizationError(.unknown, below: -7034)

    private init(_ code: Code, below number: Int) {
        let cause = NSError(domain: "AKAuthenticationError", code: number)
        self.init(code, userInfo: [NSUnderlyingErrorKey: cause])
    }

    /// The same with a sentence for developers.
    init(_ code: Code, because sentence: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: sentence])
    }
}
