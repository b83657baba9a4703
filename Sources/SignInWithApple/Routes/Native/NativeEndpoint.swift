import AppleIdentity
import Foundation
import HTTPTypes

/// What signing in from an app needs.
public struct NativeEndpoint: Sendable {
    /// The bundle identifiers of the apps, all of them configured in the facade.
    public var clientIDs: Set<ClientID>
    /// Whether an app has to send the authorization code too.
    ///
    /// Apple redeems a code once, so that nobody can use a sign-in a second time. Without a code your
    /// server has to remember the nonces or the tokens it has seen.
    public var requiresCode: Bool
    /// Gives out the nonces that apps have to sign in with; nil when each app chooses its own.
    ///
    /// A nonce that only the client chose does not bind a stolen token: whoever has the token knows its
    /// nonce, or sends it along. One that the server gave out, and takes once, does.
    public var nonces: (any NativeNonces)?
    /// Where the route is, from this router on; `native` below the other routes when nil.
    public var path: String?
    /// The method of the route: `PUT` where it sets something that is there, such as an account's link.
    public var method: HTTPRequest.Method = .post

    /// Describes the endpoint.
    ///
    /// - Parameters:
    ///   - clientIDs: the bundle identifiers of the apps.
    ///   - requiresCode: whether an app has to send the authorization code too.
    ///   - nonces: gives out the nonces that apps have to sign in with.
    ///   - path: where the route is.
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

/// Nonces that your server gives out, each for one sign-in from an app.
///
/// The routes ask for one at `POST path/nonces`, and take it when the identity token was verified to carry it,
/// raw or as SHA-256. All replicas need the same ones: keep them in your database, best as hashes.
public protocol NativeNonces: Sendable {
    /// Makes a nonce that nobody can guess, and remembers it.
    ///
    /// - Returns: the nonce, and until when it may be used; ten minutes are enough.
    /// - Throws: what your store throws; the request then fails.
    func make() async throws -> (nonce: String, expiresAt: Date)

    /// Uses up a nonce, so that it can't be used again.
    ///
    /// - Parameter nonce: the nonce of a verified identity token.
    /// - Returns: whether it was given out here, has not been used, and is not too old.
    /// - Throws: what your store throws; the sign-in then fails and can be repeated.
    func consume(_ nonce: String) async throws -> Bool
}
