/// Why a text is not an acceptable token, or a key not an acceptable key.
package enum SignedTokenError: Error, Hashable, Sendable {
    /// The token is longer than the limit; both numbers are bytes.
    case tooLong(byteCount: Int, limit: Int)
    /// The text is not a compact JWS; the reason says which rule it breaks.
    case malformed(reason: String)
    /// The header names an algorithm that is not accepted here.
    case unsupportedAlgorithm(String)
    /// The header names a critical extension, and none is understood.
    case criticalExtension([String])
    /// The key is made for another algorithm than the token's.
    case algorithmMismatch(token: SignatureAlgorithm, key: SignatureAlgorithm)
    /// The signature was not made by this key over these bytes.
    case invalidSignature
    /// The key can't be used; the reason says why, without repeating the key.
    case unusableKey(reason: String)
}
