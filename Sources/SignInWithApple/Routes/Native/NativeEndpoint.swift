import AppleIdentity
import Foundation
import HTTPTypes

/// The settings of the route for sign-ins from apps, and from pages that received Apple's token themselves.
public struct NativeEndpoint: Sendable {
    /// The bundle identifiers of the apps, all of them in ``AppleSignIn/Configuration/clientIDs``.
    public var clientIDs: Set<ClientID>
    /// The Services IDs whose tokens are accepted too, as Apple's popup and apps on Android get them.
    ///
    /// It is easier to inject into a page than into an app: such a token needs one of ``nonces``, and its code the
    /// `redirectUri` of the authorization request, at one of ``redirectOrigins``.
    public var servicesIDs: Set<ClientID> = []
    /// The origins at which a `redirectUri` may be, such as `https://shop.example.com`.
    public var redirectOrigins: Set<String> = []
    /// Whether `onSignIn` accepts each nonce once, in place of ``nonces``.
    package var isNonceCheckedLater = false
    /// Whether an app must send the authorization code.
    ///
    /// Apple accepts a code once, which prevents replay. Without a code, your server must remember
    /// the nonces or the tokens that it has accepted.
    public var requiresCode: Bool
    /// Creates the nonces for the apps; nil if each app creates its own.
    ///
    /// A nonce that the app created does not protect a stolen token, because the thief can send it
    /// too. A nonce that your server created and accepts once does.
    public var nonces: (any NativeNonces)?
    /// The path of the route; nil for `native` below the path of the other routes.
    public var path: String?
    /// The method of the route, such as `PUT` for a route that links an Apple Account to an account.
    public var method: HTTPRequest.Method = .post

    /// Creates the settings.
    ///
    /// - Parameters:
    ///   - clientIDs: the bundle identifiers of the apps.
    ///   - requiresCode: whether an app must send the authorization code.
    ///   - nonces: creates the nonces for the apps; nil if each app creates its own.
    ///   - path: the path of the route; nil for `native` below the path of the other routes.
    public init(
        clientIDs: Set<ClientID>,
        requiresCode: Bool = true,
        nonces: (any NativeNonces)? = nil,
        path: String? = nil
    ) {
        self.clientIDs = clientIDs
        self.requiresCode = requiresCode
        self.nonces = nonces
        self.path = path
    }
}

/// A store of single-use nonces that your server creates for sign-ins from apps.
///
/// `POST path/nonces` calls ``make()``. When the identity token is verified, the sign-in route calls
/// ``consume(_:)`` with the nonce that the app sent. All replicas must share the store; store hashes.
public protocol NativeNonces: Sendable {
    /// Creates a nonce that cannot be guessed, and stores it.
    ///
    /// - Returns: the nonce, of at most 512 bytes, and its expiration time; ten minutes are enough.
    /// - Throws: an error of your store; the request then fails.
    func make() async throws -> (nonce: String, expiresAt: Date)

    /// Marks a nonce as used.
    ///
    /// - Parameter nonce: the nonce as the app sent it, not hashed.
    /// - Returns: whether the nonce was created by ``make()``, is unused and has not expired.
    /// - Throws: an error of your store; the sign-in then fails and can be repeated.
    func consume(_ nonce: String) async throws -> Bool
}
