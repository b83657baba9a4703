import Foundation

/// Makes requests for passwords that the device keeps.
///
/// Source: [ASAuthorizationPasswordProvider](https://developer.apple.com/documentation/authenticationservices/asauthorizationpasswordprovider)
open class ASAuthorizationPasswordProvider: NSObject, ASAuthorizationProvider {
    /// Makes a provider.
    public override init() { super.init() }

    /// Makes a request for a password of this app.
    open func createRequest() -> ASAuthorizationPasswordRequest {
        ASAuthorizationPasswordRequest(provider: self)
    }
}

/// A user name with its password.
///
/// Source: [ASPasswordCredential](https://developer.apple.com/documentation/authenticationservices/aspasswordcredential)
public final class ASPasswordCredential: NSObject, ASAuthorizationCredential, Sendable {
    /// The user name.
    public let user: String
    /// The password.
    public let password: String

    private static let userKey = "user"
    private static let passwordKey = "password"

    /// Makes a credential.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
        super.init()
    }

    /// Reads an archived credential.
    public required init?(coder: NSCoder) {
        guard let user = coder.text(forKey: Self.userKey),
            let password = coder.text(forKey: Self.passwordKey)
        else { return nil }
        self.user = user
        self.password = password
        super.init()
    }

    /// Credentials are archived only by coders that check classes.
    public static var supportsSecureCoding: Bool { true }

    /// Writes both.
    public func encode(with coder: NSCoder) {
        coder.encode(text: user, forKey: Self.userKey)
        coder.encode(text: password, forKey: Self.passwordKey)
    }

    /// The same credential: it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
