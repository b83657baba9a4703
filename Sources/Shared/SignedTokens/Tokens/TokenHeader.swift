import AppleIdentity
import Foundation

/// The header of a compact JWS, with its unverified claims about the signature.
///
/// Members such as `jwk`, `jku` or `x5c` are not read, so they cannot lead to a key or a request.
/// Source: [RFC 7515, section 4](https://www.rfc-editor.org/rfc/rfc7515#section-4)
package struct TokenHeader: Hashable, Sendable {
    /// The name of the algorithm, not yet checked: `alg`.
    package internal(set) var algorithm: String
    /// The identifier of the key: `kid`.
    package internal(set) var keyID: String?
    /// The type of the token: `typ`, which Apple omits.
    package internal(set) var type: String?
    /// The extensions that a recipient must understand: `crit`.
    package internal(set) var criticalExtensions: [String]?
    /// Whether the payload is encoded: `b64` of RFC 7797, supported only if true.
    var isPayloadEncoded: Bool?
}

/// The two algorithms of Sign in with Apple; no other is supported.
///
/// Source: [RFC 7518, section 3.1](https://www.rfc-editor.org/rfc/rfc7518#section-3.1)
package enum SignatureAlgorithm: String, Hashable, Sendable, Codable {
    /// RSASSA-PKCS1-v1_5 with SHA-256: identity tokens and notifications.
    case rs256 = "RS256"
    /// ECDSA on P-256 with SHA-256: client secrets.
    case es256 = "ES256"
}

extension TokenHeader {
    /// The maximum size of a header, in bytes; Apple's have 40.
    ///
    /// It limits the work for unsigned input.
    static let maximumByteCount = 4 * 1024

    /// Reads a header from the first part of a token.
    init(encoded part: UnsafeBufferPointer<UInt8>) throws(SignedTokenError) {
        let header = try Base64URL.withDecoded(part) { json throws(SignedTokenError) in
            try TokenHeader(json)
        }
        guard let header else { throw .notBase64URL("header") }
        self = header
    }

    init(_ json: UnsafeBufferPointer<UInt8>) throws(SignedTokenError) {
        let header: TokenHeader?
        do {
            let limits = JSONLimits(maximumByteCount: Self.maximumByteCount)
            header = try JSONReader.read(json, limits: limits) { reader throws(JSONError) in
                try TokenHeader.read(&reader)
            }
        } catch {
            throw .malformed(reason: "its header is invalid: \(error)")
        }
        guard let header else {
            throw .malformed(reason: "its header is not a JSON object with an \"alg\"")
        }
        self = header
    }

    /// Reads the members; nil if one has the wrong type, or `alg` is missing.
    private static func read(_ reader: inout JSONReader) throws(JSONError) -> TokenHeader? {
        var header = TokenHeader(algorithm: "")
        var hasAlgorithm = false
        var areTypesRight = true
        try reader.beginObject()
        while let name = try reader.nextName() {
            let value = try reader.value()
            if case "alg" = name {
                header.algorithm = value.stringValue ?? ""
                hasAlgorithm = value.stringValue != nil
            } else if !value.isNull, !header.readMember(name, value) {
                areTypesRight = false
            }
        }
        return hasAlgorithm && areTypesRight ? header : nil
    }

    /// Stores an optional member; false if it has the wrong type.
    private mutating func readMember(_ name: JSONText, _ value: JSONValue) -> Bool {
        switch name {
        case "kid": keyID.fill(value.stringValue)
        case "typ": type.fill(value.stringValue)
        case "crit": criticalExtensions.fill(value.textsValue)
        case "b64": isPayloadEncoded.fill(value.booleanValue)
        default: true
        }
    }
}

extension SignedTokenError {
    static func notBase64URL(_ part: String) -> SignedTokenError {
        .malformed(reason: "its \(part) is not base64url without padding")
    }
}
