import AppleIdentity
import Foundation

/// What an identity token must be bound to, besides being Apple's and in time.
public struct IdentityTokenExpectation: Hashable, Sendable {
    /// Which nonce it must carry.
    public var nonce: NonceExpectation
    /// For which of the configured clients it may be meant; nil for all of them.
    public var clientIDs: Set<ClientID>?
    /// The authorization code that came with it.
    public var authorizationCode: String?
    /// The access token that came with it.
    public var accessToken: String?

    /// Makes an expectation.
    ///
    /// - Parameters:
    ///   - nonce: which nonce the token must carry.
    ///   - clientIDs: for which of the configured clients it may be meant; nil for all of them.
    ///   - authorizationCode: the code that came with it.
    ///   - accessToken: the access token that came with it.
    public init(
        nonce: NonceExpectation,
        clientIDs: Set<ClientID>? = nil,
        authorizationCode: String? = nil,
        accessToken: String? = nil
    ) {
        self.nonce = nonce
        self.clientIDs = clientIDs
        self.authorizationCode = authorizationCode
        self.accessToken = accessToken
    }
}

/// Which nonce an identity token must carry.
///
/// Apple copies the nonce of the request into the token unchanged. Some apps send the raw value,
/// others its SHA-256 as lower-case hexadecimal digits and give only the raw value to the server.
/// A nonce that was sent must be in the token, whatever the token says about support for it.
///
/// It binds a token to a sign-in only when the server made the nonce and accepts it once: one that
/// the app alone has chosen comes with the token, also from whoever stole both.
public enum NonceExpectation: Hashable, Sendable {
    /// None was sent: the token must carry none.
    case absent
    /// The token carries this value.
    case raw(String)
    /// The token carries the lower-case hexadecimal SHA-256 of this value.
    case sha256(String)
    /// The token carries this value or its lower-case hexadecimal SHA-256.
    case rawOrSHA256(String)
    /// Whatever the token carries: for answers that came straight from Apple to this server.
    case unchecked
}
