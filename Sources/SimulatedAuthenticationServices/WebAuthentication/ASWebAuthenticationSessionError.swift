import Foundation

/// The domain of ``ASWebAuthenticationSessionError``.
public let ASWebAuthenticationSessionErrorDomain =
    "com.apple.AuthenticationServices.WebAuthenticationSession"

/// Why a web page did not lead back to the app.
///
/// Source: [ASWebAuthenticationSessionError](https://developer.apple.com/documentation/authenticationservices/aswebauthenticationsessionerror-swift.struct)
public struct ASWebAuthenticationSessionError: CustomNSError, Hashable, Sendable {
    /// The reason.
    public enum Code: Int, Sendable {
        /// The person closed the page, or did not agree to open it.
        case canceledLogin = 1
        /// The session has nobody to tell it a window.
        case presentationContextNotProvided = 2
        /// The window is none.
        case presentationContextInvalid = 3

        /// Whether an error has this code, for `catch`.
        public static func ~= (code: Code, error: any Error) -> Bool {
            (error as? ASWebAuthenticationSessionError)?.code == code
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
    public static var errorDomain: String { ASWebAuthenticationSessionErrorDomain }
    /// The number of the code.
    public var errorCode: Int { code.rawValue }
    /// What else is told.
    public var userInfo: [String: Any] { stored.userInfo }
    /// What else is told.
    public var errorUserInfo: [String: Any] { stored.userInfo }

    /// ``Code/canceledLogin``.
    public static var canceledLogin: Code { .canceledLogin }
    /// ``Code/presentationContextNotProvided``.
    public static var presentationContextNotProvided: Code { .presentationContextNotProvided }
    /// ``Code/presentationContextInvalid``.
    public static var presentationContextInvalid: Code { .presentationContextInvalid }
}
