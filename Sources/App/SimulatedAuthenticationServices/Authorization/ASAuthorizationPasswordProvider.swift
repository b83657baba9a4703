import Foundation

/// Creates requests for passwords stored on the device.
///
/// Source: [ASAuthorizationPasswordProvider](https://developer.apple.com/documentation/authenticationservices/asauthorizationpasswordprovider)
open class ASAuthorizationPasswordProvider: NSObject, ASAuthorizationProvider {
    /// Creates a provider.
    public override init() { super.init() }

    /// Creates a request for a password of this app.
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
    /// The password, in plain text.
    public let password: String

    private static let userKey = "user"
    private static let passwordKey = "password"

    /// Creates a credential.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
        super.init()
    }

    /// Decodes a credential; nil if a value is missing.
    public required init?(coder: NSCoder) {
        guard let user = coder.text(forKey: Self.userKey),
            let password = coder.text(forKey: Self.passwordKey)
        else { return nil }
        self.user = user
        self.password = password
        super.init()
    }

    /// Whether the class supports secure coding.
    public static var supportsSecureCoding: Bool { true }

    /// Encodes the user name and the password.
    public func encode(with coder: NSCoder) {
        coder.encode(text: user, forKey: Self.userKey)
        coder.encode(text: password, forKey: Self.passwordKey)
    }

    /// Returns this credential, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
