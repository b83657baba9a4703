/// The header of a compact JWS: what it claims about its own signature.
///
/// Members such as `jwk`, `jku` or `x5c` are not read, so they can't lead to a key or a fetch.
/// Source: [RFC 7515, section 4](https://www.rfc-editor.org/rfc/rfc7515#section-4)
public struct TokenHeader: Hashable, Sendable {
    /// The algorithm's name, not yet judged: `alg`.
    public internal(set) var algorithm: String
    /// The key's name: `kid`.
    public internal(set) var keyID: String?
    /// The kind of token: `typ`, which Apple leaves out.
    public internal(set) var type: String?
    /// Extensions that must be understood: `crit`.
    public internal(set) var criticalExtensions: [String]?
    /// Whether the payload is encoded: `b64` of RFC 7797, understood only as true.
    var isPayloadEncoded: Bool?
}
