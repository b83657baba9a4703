/// The header of a compact JWS: what it claims about its own signature.
///
/// Members such as `jwk`, `jku` or `x5c` are not read, so they can't lead to a key or a fetch.
/// Source: [RFC 7515, section 4](https://www.rfc-editor.org/rfc/rfc7515#section-4)
public struct TokenHeader: Hashable, Sendable, Decodable {
    /// The algorithm's name, not yet judged: `alg`.
    public let algorithm: String
    /// The key's name: `kid`.
    public let keyID: String?
    /// The kind of token: `typ`, which Apple leaves out.
    public let type: String?
    /// Extensions that must be understood: `crit`.
    public let criticalExtensions: [String]?
    /// Whether the payload is encoded: `b64` of RFC 7797, understood only as true.
    let isPayloadEncoded: Bool?

    enum CodingKeys: String, CodingKey {
        case algorithm = "alg"
        case keyID = "kid"
        case type = "typ"
        case criticalExtensions = "crit"
        case isPayloadEncoded = "b64"
    }
}
