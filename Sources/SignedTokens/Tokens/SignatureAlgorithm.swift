/// The two algorithms that Sign in with Apple uses; there is no other here.
///
/// Source: [RFC 7518, section 3.1](https://www.rfc-editor.org/rfc/rfc7518#section-3.1)
package enum SignatureAlgorithm: String, Hashable, Sendable, Codable {
    /// RSASSA-PKCS1-v1_5 with SHA-256: identity tokens and notifications.
    case rs256 = "RS256"
    /// ECDSA on P-256 with SHA-256: client secrets.
    case es256 = "ES256"
}
