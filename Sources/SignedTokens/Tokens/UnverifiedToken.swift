import Foundation

/// A compact JWS that was split and decoded, and that nobody has checked yet.
///
/// Source: [RFC 7515, section 5.2](https://www.rfc-editor.org/rfc/rfc7515#section-5.2)
public struct UnverifiedToken: Hashable, Sendable {
    /// The length above which a token is not looked at, in bytes; Apple's are below 1 200.
    public static let byteCountMax = 16 * 1024

    /// What the token claims about its signature.
    public let header: TokenHeader
    /// The claims, as JSON that nobody has checked.
    public let unverifiedPayload: Data
    /// The algorithm the header names, one of the two accepted.
    public let algorithm: SignatureAlgorithm

    let signature: Data
    let signingInput: Data

    /// Splits and decodes a compact JWS.
    ///
    /// - Parameters:
    ///   - compact: three base64url parts with dots between.
    ///   - byteCountMax: the longest token looked at, in bytes.
    /// - Throws: ``SignedTokenError`` when the text is too long or not such a token.
    public init(
        _ compact: String,
        byteCountMax: Int = UnverifiedToken.byteCountMax
    ) throws(SignedTokenError) {
        let byteCount = compact.utf8.count
        guard byteCount <= byteCountMax else {
            throw .tooLong(byteCount: byteCount, limit: byteCountMax)
        }
        let parts = compact.utf8.split(
            separator: UInt8(ascii: "."),
            omittingEmptySubsequences: false
        )
        guard parts.count == 3 else {
            throw .malformed(reason: "it has \(parts.count) parts instead of 3")
        }
        header = try Self.header(from: Self.decode(parts[0], name: "header"))
        algorithm = try Self.algorithm(of: header)
        unverifiedPayload = try Self.decode(parts[1], name: "payload")
        signature = try Self.decode(parts[2], name: "signature")
        signingInput = Data(compact.utf8.prefix(parts[0].count + 1 + parts[1].count))
    }

    /// Checks the signature.
    ///
    /// - Parameter key: the key that the caller trusts to have signed.
    /// - Returns: the same token, as one whose payload may be read.
    /// - Throws: ``SignedTokenError`` when the key did not sign these bytes.
    public func verified(with key: VerificationKey) throws(SignedTokenError) -> VerifiedToken {
        // RFC 8725, section 3.1: the key decides the algorithm, the token never does.
        // https://www.rfc-editor.org/rfc/rfc8725#section-3.1
        guard key.algorithm == algorithm else {
            throw .algorithmMismatch(token: algorithm, key: key.algorithm)
        }
        guard key.isValid(signature: signature, over: signingInput) else {
            throw .invalidSignature
        }
        return VerifiedToken(header: header, payload: unverifiedPayload)
    }

    private static func decode(
        _ part: Substring.UTF8View,
        name: String
    ) throws(SignedTokenError) -> Data {
        guard let bytes = Base64URL.decode(String(Substring(part))) else {
            throw .malformed(reason: "its \(name) is not base64url without padding")
        }
        return bytes
    }

    private static func header(from data: Data) throws(SignedTokenError) -> TokenHeader {
        do {
            return try JSONDecoder().decode(TokenHeader.self, from: data)
        } catch {
            throw .malformed(reason: "its header is not a JSON object with an \"alg\"")
        }
    }

    private static func algorithm(
        of header: TokenHeader
    ) throws(SignedTokenError) -> SignatureAlgorithm {
        guard let algorithm = SignatureAlgorithm(rawValue: header.algorithm) else {
            throw .unsupportedAlgorithm(String(header.algorithm.prefix(16)))
        }
        // RFC 7515, section 4.1.11: a recipient that does not understand a critical extension
        // must refuse. https://www.rfc-editor.org/rfc/rfc7515#section-4.1.11
        if let extensions = header.criticalExtensions {
            throw .criticalExtension(extensions)
        }
        guard header.isPayloadEncoded != false else {
            throw .criticalExtension(["b64"])
        }
        return algorithm
    }
}
