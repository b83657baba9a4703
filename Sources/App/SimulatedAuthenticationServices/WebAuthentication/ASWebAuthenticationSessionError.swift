import Foundation

/// The domain of ``ASWebAuthenticationSessionError``.
public let ASWebAuthenticationSessionErrorDomain =
    "com.apple.AuthenticationServices.WebAuthenticationSession"

/// An error of ``ASWebAuthenticationSession``.
///
/// Source: [ASWebAuthenticationSessionError](https://developer.apple.com/documentation/authenticationservices/aswebauthenticationsessionerror-swift.struct)
public struct ASWebAuthenticationSessionError: CustomNSError, Hashable, Sendable {
    /// The codes of these errors.
    public enum Code: Int, Sendable {
        /// The user closed the page, or did not agree to open it.
        case canceledLogin = 1
        /// The session has no presentation context provider.
        case presentationContextNotProvided = 2
        /// The presentation window is invalid.
        case presentationContextInvalid = 3

        /// Whether an error has this code, for `catch`.
        public static func ~= (code: Code, error: any Error) -> Bool {
            (error as? ASWebAuthenticationSessionError)?.code == code
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
    public static var errorDomain: String { ASWebAuthenticationSessionErrorDomain }
    /// The number of the code.
    public var errorCode: Int { code.rawValue }
    /// The user info dictionary of the error.
    public var userInfo: [String: Any] { stored.userInfo }
    /// The user info dictionary of the error.
    public var errorUserInfo: [String: Any] { stored.userInfo }

    /// ``Code/canceledLogin``.
    public static var canceledLogin: Code { .canceledLogin }
    /// ``Code/presentationContextNotProvided``.
    public static var presentationContextNotProvided: Code { .presentationContextNotProvided }
    /// ``Code/presentationContextInvalid``.
    public static var presentationContextInvalid: Code { .presentationContextInvalid }
}
