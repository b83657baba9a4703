/// An error of a token or a key.
package enum SignedTokenError: Error, Hashable, Sendable {
    /// The token is longer than the limit; both numbers are bytes.
    case tooLong(byteCount: Int, limit: Int)
    /// The text is not a compact JWS; the reason names the broken rule.
    case malformed(reason: String)
    /// The header names an unsupported algorithm.
    case unsupportedAlgorithm(String)
    /// The header names a critical extension; none is supported.
    case criticalExtension([String])
    /// The key is for another algorithm than the token's.
    case algorithmMismatch(token: SignatureAlgorithm, key: SignatureAlgorithm)
    /// The signature does not match this key and these bytes.
    case invalidSignature
    /// The key cannot be used; the reason does not repeat the key.
    case unusableKey(reason: String)
}
