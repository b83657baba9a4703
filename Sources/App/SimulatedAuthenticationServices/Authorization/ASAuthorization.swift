import Foundation

/// A provider that creates requests for one kind of credential.
public protocol ASAuthorizationProvider: NSObjectProtocol {}

/// A credential; cast it to ``ASAuthorizationAppleIDCredential`` or ``ASPasswordCredential``.
public protocol ASAuthorizationCredential: NSCopying, NSSecureCoding, NSObjectProtocol {}

/// A successful authorization, which the controller passes to its delegate.
///
/// Source: [ASAuthorization](https://developer.apple.com/documentation/authenticationservices/asauthorization)
open class ASAuthorization: NSObject {
    /// The provider of the fulfilled request.
    public let provider: any ASAuthorizationProvider
    /// The credential: an ``ASAuthorizationAppleIDCredential`` or an ``ASPasswordCredential``.
    public let credential: any ASAuthorizationCredential

    package init(provider: any ASAuthorizationProvider, credential: any ASAuthorizationCredential) {
        self.provider = provider
        self.credential = credential
        super.init()
    }
}

extension ASAuthorization {
    /// A kind of user data that an app requests.
    public struct Scope: RawRepresentable, Hashable, Sendable {
        /// The scope's text.
        public let rawValue: String

        /// Creates a scope from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates a scope from its text.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// The user's name.
        public static let fullName = Scope("full_name")
        /// The user's email address, or a private relay address.
        public static let email = Scope("email")
    }

    /// The operation of an OpenID request.
    public struct OpenIDOperation: RawRepresentable, Hashable, Sendable {
        /// The operation's text.
        public let rawValue: String

        /// Creates an operation from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates an operation from its text.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// The provider chooses the operation.
        public static let operationImplicit = OpenIDOperation("implicit")
        /// A sign-in.
        public static let operationLogin = OpenIDOperation("login")
        /// A new credential for a signed-in user.
        public static let operationRefresh = OpenIDOperation("refresh")
        /// A sign-out.
        public static let operationLogout = OpenIDOperation("logout")
    }
}
