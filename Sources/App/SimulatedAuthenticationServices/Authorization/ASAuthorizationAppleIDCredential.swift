import Foundation

/// A credential of a user's Apple Account.
///
/// Source: [ASAuthorizationAppleIDCredential](https://developer.apple.com/documentation/authenticationservices/asauthorizationappleidcredential)
open class ASAuthorizationAppleIDCredential: NSObject, ASAuthorizationCredential {
    private let content: AppleIDCredentialContent

    package init(_ content: AppleIDCredentialContent) {
        self.content = content
        super.init()
    }

    /// The user's stable, opaque identifier for the app's team.
    public var user: String { content.user }
    /// The `state` of the request, unchanged.
    public var state: String? { content.state }
    /// The scopes that the user granted, possibly fewer than requested.
    public var authorizedScopes: [ASAuthorization.Scope] { content.authorizedScopes }
    /// The authorization code for the app's server, in UTF-8; valid once, for five minutes.
    public var authorizationCode: Data? { content.authorizationCode }
    /// The signed identity token, in UTF-8.
    public var identityToken: Data? { content.identityToken }
    /// The email address, at the first authorization only.
    public var email: String? { content.email }
    /// The name, at the first authorization only.
    public var fullName: PersonNameComponents? { content.fullName }
    /// Apple's estimate of whether the user is a real person; meaningful the first time only.
    public var realUserStatus: ASUserDetectionStatus { content.realUserStatus }
    /// The user's age range, for apps with the entitlement for child accounts.
    public var userAgeRange: ASUserAgeRange { content.userAgeRange }

    /// Decodes a credential; nil if the user is missing.
    public required init?(coder: NSCoder) {
        guard let content = AppleIDCredentialContent(coder) else { return nil }
        self.content = content
        super.init()
    }

    /// Whether the class supports secure coding.
    open class var supportsSecureCoding: Bool { true }

    /// Encodes the credential.
    open func encode(with coder: NSCoder) { content.encode(with: coder) }

    /// Returns this credential, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Apple's estimate of whether a user is a real person; accept users with `unknown` too.
///
/// Source: [ASUserDetectionStatus](https://developer.apple.com/documentation/authenticationservices/asuserdetectionstatus)
public enum ASUserDetectionStatus: Int, Sendable {
    /// The platform does not support the estimate.
    case unsupported = 0
    /// Apple could not decide.
    case unknown = 1
    /// The user is likely a real person.
    case likelyReal = 2
}

/// The age range of a user, for apps with the entitlement for child accounts.
///
/// Source: [ASUserAgeRange](https://developer.apple.com/documentation/authenticationservices/asuseragerange)
public enum ASUserAgeRange: Int, Sendable {
    /// Unknown, or the app does not have the entitlement.
    case unknown = 0
    /// The user is a child.
    case child = 1
    /// The user is not a child.
    case notChild = 2
}

/// Strings in archives, as the classes that coders support.
extension NSCoder {
    func encode(text: String?, forKey key: String) {
        encode(text.map { NSString(string: $0) }, forKey: key)
    }

    func text(forKey key: String) -> String? {
        decodeObject(of: NSString.self, forKey: key).map { String(describing: $0) }
    }

    func texts(forKey key: String) -> [String]? {
        decodeObject(of: [NSArray.self, NSString.self], forKey: key) as? [String]
    }
}
