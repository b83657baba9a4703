import Foundation

/// Makes requests for one kind of credential.
public protocol ASAuthorizationProvider: NSObjectProtocol {}

/// What an authorization ends with: cast it to the credential it is.
public protocol ASAuthorizationCredential: NSCopying, NSSecureCoding, NSObjectProtocol {}

/// What the controller hands to its delegate when the person agreed.
///
/// Source: [ASAuthorization](https://developer.apple.com/documentation/authenticationservices/asauthorization)
open class ASAuthorization: NSObject {
    /// The provider of the request that was answered.
    public let provider: any ASAuthorizationProvider
    /// The credential: a ``ASAuthorizationAppleIDCredential`` or a ``ASPasswordCredential``.
    public let credential: any ASAuthorizationCredential

    package init(provider: any ASAuthorizationProvider, credential: any ASAuthorizationCredential) {
        self.provider = provider
        self.credential = credential
        super.init()
    }
}

extension ASAuthorization {
    /// What an app asks a person to share.
    public struct Scope: RawRepresentable, Hashable, Sendable {
        /// The scope's text.
        public let rawValue: String

        /// Makes a scope from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Makes a scope from its text.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// The person's name.
        public static let fullName = Scope("full_name")
        /// The person's e-mail address, or one that hides it.
        public static let email = Scope("email")
    }

    /// What an OpenID request is for.
    public struct OpenIDOperation: RawRepresentable, Hashable, Sendable {
        /// The operation's text.
        public let rawValue: String

        /// Makes an operation from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Makes an operation from its text.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// Whatever the provider sees fit.
        public static let operationImplicit = OpenIDOperation("implicit")
        /// An ordinary sign-in.
        public static let operationLogin = OpenIDOperation("login")
        /// A new credential for a person who is signed in.
        public static let operationRefresh = OpenIDOperation("refresh")
        /// The end of a sign-in.
        public static let operationLogout = OpenIDOperation("logout")
    }
}
