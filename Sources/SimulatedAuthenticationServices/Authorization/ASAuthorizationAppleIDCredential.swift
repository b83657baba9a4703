import Foundation

/// What Apple vouches for: a person, as the app's team knows them.
///
/// Source: [ASAuthorizationAppleIDCredential](https://developer.apple.com/documentation/authenticationservices/asauthorizationappleidcredential)
open class ASAuthorizationAppleIDCredential: NSObject, ASAuthorizationCredential {
    private let content: AppleIDCredentialContent

    package init(_ content: AppleIDCredentialContent) {
        self.content = content
        super.init()
    }

    /// The person, as the app's team knows them: opaque, the same each time.
    public var user: String { content.user }
    /// What the request gave along.
    public var state: String? { content.state }
    /// What the person let the app know; may be fewer than asked, or none.
    public var authorizedScopes: [ASAuthorization.Scope] { content.authorizedScopes }
    /// The code for the app's server, in UTF-8; good once, for five minutes.
    public var authorizationCode: Data? { content.authorizationCode }
    /// The signed identity token, in UTF-8.
    public var identityToken: Data? { content.identityToken }
    /// The address, the first time only.
    public var email: String? { content.email }
    /// The name, the first time only.
    public var fullName: PersonNameComponents? { content.fullName }
    /// Apple's guess whether the person is real, of meaning the first time only.
    public var realUserStatus: ASUserDetectionStatus { content.realUserStatus }
    /// Whether the person is a child, for apps that may know.
    public var userAgeRange: ASUserAgeRange { content.userAgeRange }

    /// Reads an archived credential.
    public required init?(coder: NSCoder) {
        guard let content = AppleIDCredentialContent(coder) else { return nil }
        self.content = content
        super.init()
    }

    /// Credentials are archived only by coders that check classes.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the whole credential.
    open func encode(with coder: NSCoder) { content.encode(with: coder) }

    /// The same credential: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Apple's guess whether a person is real; nobody is to be turned away for `unknown`.
///
/// Source: [ASUserDetectionStatus](https://developer.apple.com/documentation/authenticationservices/asuserdetectionstatus)
public enum ASUserDetectionStatus: Int, Sendable {
    /// The system can't tell.
    case unsupported = 0
    /// Apple has not made up its mind.
    case unknown = 1
    /// Apple believes so.
    case likelyReal = 2
}

/// Whether a person is a child, for apps with the entitlement for child accounts.
///
/// Source: [ASUserAgeRange](https://developer.apple.com/documentation/authenticationservices/asuseragerange)
public enum ASUserAgeRange: Int, Sendable {
    /// The app may not know.
    case unknown = 0
    /// A child.
    case child = 1
    /// Not a child.
    case notChild = 2
}

/// Texts in archives, as the classes that coders know.
extension NSCoder {
    func encode(text: String?, forKey key: String) {
        encode(text.map { NSString(string: $0) }, forKey: key)
    }

    func encode(bytes: Data?, forKey key: String) {
        encode(bytes.map { NSData(data: $0) }, forKey: key)
    }

    func text(forKey key: String) -> String? {
        decodeObject(of: NSString.self, forKey: key).map { String(describing: $0) }
    }

    func texts(forKey key: String) -> [String]? {
        decodeObject(of: [NSArray.self, NSString.self], forKey: key) as? [String]
    }

    func bytes(forKey key: String) -> Data? {
        decodeObject(of: NSData.self, forKey: key).map { Data(referencing: $0) }
    }
}
