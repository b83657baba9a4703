import Foundation

/// A request for a credential, created by a provider.
///
/// Source: [ASAuthorizationRequest](https://developer.apple.com/documentation/authenticationservices/asauthorizationrequest)
open class ASAuthorizationRequest: NSObject, NSCopying, NSSecureCoding {
    /// The provider that created the request.
    public let provider: any ASAuthorizationProvider

    package init(provider: any ASAuthorizationProvider) {
        self.provider = provider
        super.init()
    }

    /// Returns nil: only the subclasses for Apple Accounts and passwords can be decoded, because their
    /// provider is known.
    public required init?(coder: NSCoder) { nil }

    /// Whether the class supports secure coding.
    open class var supportsSecureCoding: Bool { true }

    /// Encodes nothing; the provider follows from the class.
    open func encode(with coder: NSCoder) {}

    /// Returns a request of the same provider.
    open func copy(with zone: NSZone? = nil) -> Any { ASAuthorizationRequest(provider: provider) }
}

/// A request to an OpenID Connect provider.
///
/// Source: [ASAuthorizationOpenIDRequest](https://developer.apple.com/documentation/authenticationservices/asauthorizationopenidrequest)
open class ASAuthorizationOpenIDRequest: ASAuthorizationRequest {
    /// The requested scopes; nil by default.
    open var requestedScopes: [ASAuthorization.Scope]?
    /// A value that the credential returns unchanged.
    open var state: String?
    /// The `nonce` claim of the identity token, unchanged.
    open var nonce: String?
    /// The requested operation.
    open var requestedOperation: ASAuthorization.OpenIDOperation = .operationImplicit

    package override init(provider: any ASAuthorizationProvider) { super.init(provider: provider) }

    /// Returns nil: only the subclasses for Apple Accounts and passwords can be decoded, because their
    /// provider is known.
    public required init?(coder: NSCoder) { nil }

    /// Encodes the properties of the request.
    open override func encode(with coder: NSCoder) {
        let scopes = requestedScopes?.map { NSString(string: $0.rawValue) }
        coder.encode(scopes.map { NSArray(array: $0) }, forKey: Key.requestedScopes)
        coder.encode(text: state, forKey: Key.state)
        coder.encode(text: nonce, forKey: Key.nonce)
        coder.encode(text: requestedOperation.rawValue, forKey: Key.requestedOperation)
    }

    /// Returns a copy with the same provider and properties.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = ASAuthorizationOpenIDRequest(provider: provider)
        copy.take(from: self)
        return copy
    }

    func take(from other: ASAuthorizationOpenIDRequest) {
        requestedScopes = other.requestedScopes
        state = other.state
        nonce = other.nonce
        requestedOperation = other.requestedOperation
    }

    func read(from coder: NSCoder) {
        requestedScopes = coder.texts(forKey: Key.requestedScopes)?.map {
            ASAuthorization.Scope($0)
        }
        state = coder.text(forKey: Key.state)
        nonce = coder.text(forKey: Key.nonce)
        requestedOperation =
            coder.text(forKey: Key.requestedOperation).map { .init($0) } ?? .operationImplicit
    }

    private enum Key {
        static let requestedScopes = "requestedScopes"
        static let state = "state"
        static let nonce = "nonce"
        static let requestedOperation = "requestedOperation"
    }
}

/// A request for a user's Apple Account.
///
/// Source: [ASAuthorizationAppleIDRequest](https://developer.apple.com/documentation/authenticationservices/asauthorizationappleidrequest)
open class ASAuthorizationAppleIDRequest: ASAuthorizationOpenIDRequest {
    /// The identifier of the expected user, from an earlier credential.
    open var user: String?

    private static let userKey = "user"

    package override init(provider: any ASAuthorizationProvider) { super.init(provider: provider) }

    /// Decodes a request.
    public required init?(coder: NSCoder) {
        super.init(provider: ASAuthorizationAppleIDProvider())
        read(from: coder)
        user = coder.text(forKey: Self.userKey)
    }

    /// Encodes the properties of the request.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(text: user, forKey: Self.userKey)
    }

    /// Returns a copy with the same properties.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = ASAuthorizationAppleIDRequest(provider: provider)
        copy.take(from: self)
        copy.user = user
        return copy
    }
}

/// A request for a password stored on the device.
///
/// Source: [ASAuthorizationPasswordRequest](https://developer.apple.com/documentation/authenticationservices/asauthorizationpasswordrequest)
open class ASAuthorizationPasswordRequest: ASAuthorizationRequest {
    package override init(provider: any ASAuthorizationProvider) { super.init(provider: provider) }

    /// Decodes a request.
    public required init?(coder: NSCoder) {
        super.init(provider: ASAuthorizationPasswordProvider())
    }

    /// Returns a copy.
    open override func copy(with zone: NSZone? = nil) -> Any {
        ASAuthorizationPasswordRequest(provider: provider)
    }
}
