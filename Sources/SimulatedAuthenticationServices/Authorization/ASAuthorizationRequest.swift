import Foundation

/// A request for a credential; a provider makes it.
///
/// Source: [ASAuthorizationRequest](https://developer.apple.com/documentation/authenticationservices/asauthorizationrequest)
open class ASAuthorizationRequest: NSObject, NSCopying, NSSecureCoding {
    /// The provider that made the request.
    public let provider: any ASAuthorizationProvider

    package init(provider: any ASAuthorizationProvider) {
        self.provider = provider
        super.init()
    }

    /// Nil: a request by itself belongs to no provider that an archive could name.
    public required init?(coder: NSCoder) { nil }

    /// Requests are archived only by coders that check classes.
    open class var supportsSecureCoding: Bool { true }

    /// Writes what the app set; the provider follows from the class.
    open func encode(with coder: NSCoder) {}

    /// A request of the same provider.
    open func copy(with zone: NSZone? = nil) -> Any { ASAuthorizationRequest(provider: provider) }
}

/// A request to a provider that speaks OpenID Connect.
///
/// Source: [ASAuthorizationOpenIDRequest](https://developer.apple.com/documentation/authenticationservices/asauthorizationopenidrequest)
open class ASAuthorizationOpenIDRequest: ASAuthorizationRequest {
    /// What the person is asked to share; nil until it is set.
    open var requestedScopes: [ASAuthorization.Scope]?
    /// A value that comes back in the credential.
    open var state: String?
    /// A value that comes back in the identity token, as it is.
    open var nonce: String?
    /// What the request is for.
    open var requestedOperation: ASAuthorization.OpenIDOperation = .operationImplicit

    package override init(provider: any ASAuthorizationProvider) { super.init(provider: provider) }

    /// Nil: a request by itself belongs to no provider that an archive could name.
    public required init?(coder: NSCoder) { nil }

    /// Writes what the app set.
    open override func encode(with coder: NSCoder) {
        let scopes = requestedScopes?.map { NSString(string: $0.rawValue) }
        coder.encode(scopes.map { NSArray(array: $0) }, forKey: Key.requestedScopes)
        coder.encode(text: state, forKey: Key.state)
        coder.encode(text: nonce, forKey: Key.nonce)
        coder.encode(text: requestedOperation.rawValue, forKey: Key.requestedOperation)
    }

    /// A request of the same provider that asks for the same.
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

/// A request for a person's Apple Account.
///
/// Source: [ASAuthorizationAppleIDRequest](https://developer.apple.com/documentation/authenticationservices/asauthorizationappleidrequest)
open class ASAuthorizationAppleIDRequest: ASAuthorizationOpenIDRequest {
    /// The person the app expects, as the app's team knows them.
    open var user: String?

    private static let userKey = "user"

    package override init(provider: any ASAuthorizationProvider) { super.init(provider: provider) }

    /// Reads an archived request.
    public required init?(coder: NSCoder) {
        super.init(provider: ASAuthorizationAppleIDProvider())
        read(from: coder)
        user = coder.text(forKey: Self.userKey)
    }

    /// Writes what the app set.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(text: user, forKey: Self.userKey)
    }

    /// A request that asks for the same.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = ASAuthorizationAppleIDRequest(provider: provider)
        copy.take(from: self)
        copy.user = user
        return copy
    }
}

/// A request for a password that the device keeps.
///
/// Source: [ASAuthorizationPasswordRequest](https://developer.apple.com/documentation/authenticationservices/asauthorizationpasswordrequest)
open class ASAuthorizationPasswordRequest: ASAuthorizationRequest {
    package override init(provider: any ASAuthorizationProvider) { super.init(provider: provider) }

    /// Reads an archived request.
    public required init?(coder: NSCoder) {
        super.init(provider: ASAuthorizationPasswordProvider())
    }

    /// A request for the same.
    open override func copy(with zone: NSZone? = nil) -> Any {
        ASAuthorizationPasswordRequest(provider: provider)
    }
}
