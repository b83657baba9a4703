import AppleIdentity
import Foundation

/// The values that an identity token must match: nonce, client, code and access token.
public struct IdentityTokenExpectation: Hashable, Sendable {
    /// The expected nonce.
    public var nonce: NonceExpectation
    /// The accepted clients, a subset of the configured ones; nil accepts all of them.
    public var clientIDs: Set<ClientID>?
    /// The authorization code that came with the token, checked against `c_hash`; nil for none.
    public var authorizationCode: String?
    /// The access token that came with the token, checked against `at_hash` if that is present.
    public var accessToken: String?

    /// Creates an expectation.
    ///
    /// - Parameters:
    ///   - nonce: the expected nonce.
    ///   - clientIDs: the accepted clients, a subset of the configured ones; nil accepts all.
    ///   - authorizationCode: the code that came with the token, checked against `c_hash`.
    ///   - accessToken: the access token that came with the token, checked against `at_hash`.
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

/// The nonce that an identity token must have.
///
/// Apple copies the nonce of the request into the token unchanged. Some apps send Apple the nonce
/// itself, others its SHA-256 as lower-case hexadecimal digits; both send your server the nonce.
/// A token without an expected nonce is rejected, even if its `nonce_supported` is false.
///
/// A nonce binds a token to a sign-in only if the server created it and accepts it once. A nonce
/// that the app created can be stolen together with the token.
public enum NonceExpectation: Hashable, Sendable {
    /// No nonce was sent: the token must have none.
    case absent
    /// The token has this value.
    case raw(String)
    /// The token has the lower-case hexadecimal SHA-256 of this value.
    case sha256(String)
    /// The token has this value or its lower-case hexadecimal SHA-256.
    case rawOrSHA256(String)
    /// The nonce is not checked: for responses that came straight from Apple to this server.
    case unchecked
}
