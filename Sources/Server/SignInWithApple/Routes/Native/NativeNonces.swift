import AppleIdentity
import Crypto
import Foundation
import SignedTokens

/// A nonce for one sign-in from an app or a page.
public struct NativeNonce: Hashable, Sendable {
    /// The nonce, before hashing.
    public let nonce: String
    /// The time after which the sign-in route rejects it.
    public let expiresAt: Date
}

/// The single-use nonces of your server for sign-ins from apps.
///
/// `POST path/nonces` returns one to any client. A nonce contains its expiration time and a MAC, so it is not stored when
/// it is created: a stranger's requests take no space in your store. The sign-in route stores the nonce of a verified
/// identity token with your function. The repetition of a failed sign-in does not use its nonce again, see
/// ``NativeEndpoint/requiresCode``.
public struct NativeNonces: Sendable {
    private static let lifetime: TimeInterval = 10 * 60

    private let nonces: ServerNonces
    private let use: @Sendable (_ hash: String, _ expiresAt: Date) async throws -> Bool

    /// Creates the nonces of a server.
    ///
    /// - Parameters:
    ///   - sealer: authenticates the nonces, with the same keys on all replicas.
    ///   - use: stores the hash of a used nonce until it expires, in a store that all replicas share, and returns
    ///     whether the hash is new. Let the store decide, such as by a unique column: two requests may use a nonce at
    ///     once. If the function throws an error, the sign-in fails and can be repeated.
    public init(
        sealer: TokenSealer,
        use: @escaping @Sendable (_ hash: String, _ expiresAt: Date) async throws -> Bool
    ) {
        nonces = ServerNonces(sealer)
        self.use = use
    }

    /// Creates a nonce for a page of yours; apps request `POST path/nonces`.
    ///
    /// - Returns: the nonce, which is valid once and for ten minutes.
    public func make() -> NativeNonce { make(at: TimeSource.live.now) }

    package func make(at now: Date) -> NativeNonce {
        let expiresAt = now.addingTimeInterval(Self.lifetime)
        return NativeNonce(nonce: nonces.make(expiresAt: expiresAt), expiresAt: expiresAt)
    }

    /// Returns whether the nonce is the server's, has not expired and is used for the first time.
    func consume(_ nonce: String, at now: Date) async throws -> Bool {
        guard case .valid(let expiresAt) = nonces.find(nonce, now: now) else { return false }
        return try await use(SHA256.hexadecimal(of: nonce), expiresAt)
    }
}
