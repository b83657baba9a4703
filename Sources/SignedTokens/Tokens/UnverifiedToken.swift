import Crypto
import Foundation

/// A compact JWS that was split and decoded, and that nobody has checked yet.
///
/// Source: [RFC 7515, section 5.2](https://www.rfc-editor.org/rfc/rfc7515#section-5.2)
package struct UnverifiedToken: Hashable, Sendable {
    /// The length above which a token is not looked at, in bytes; Apple's are below 1 200.
    package static let maximumByteCount = 16 * 1024

    /// What the token claims about its signature.
    package let header: TokenHeader
    /// The algorithm the header names, one of the two accepted.
    package let algorithm: SignatureAlgorithm

    private let content: TokenContent
    private let digest: SHA256.Digest

    /// The claims, as JSON that nobody has checked.
    package var unverifiedPayload: Data { content.withPayload { Data($0) } }

    /// Splits and decodes a compact JWS.
    ///
    /// - Parameters:
    ///   - compact: three base64url parts with dots between.
    ///   - maximumByteCount: the longest token looked at, in bytes.
    /// - Throws: ``SignedTokenError`` when the text is too long or not such a token.
    package init(
        _ compact: String,
        maximumByteCount: Int = UnverifiedToken.maximumByteCount
    ) throws(SignedTokenError) {
        var compact = compact
        self = try compact.withUTF8 { characters in
            Result { () throws(SignedTokenError) in
                try UnverifiedToken(characters, maximumByteCount: maximumByteCount)
            }
        }
        .get()
    }

    private init(
        _ compact: UnsafeBufferPointer<UInt8>,
        maximumByteCount: Int
    ) throws(SignedTokenError) {
        guard compact.count <= maximumByteCount else {
            throw .tooLong(byteCount: compact.count, limit: maximumByteCount)
        }
        let parts = try CompactParts(compact)
        header = try TokenHeader(encoded: parts.header)
        algorithm = try Self.algorithm(of: header)
        content = try TokenContent(payload: parts.payload, signature: parts.signature)
        digest = SHA256.hash(data: UnsafeRawBufferPointer(parts.signingInput))
    }

    /// Checks the signature.
    ///
    /// - Parameter key: the key that the caller trusts to have signed.
    /// - Returns: the same token, as one whose payload may be read.
    /// - Throws: ``SignedTokenError`` when the key did not sign these bytes.
    package func verified(with key: VerificationKey) throws(SignedTokenError) -> VerifiedToken {
        // RFC 8725, section 3.1: the key decides the algorithm, the token never does.
        // https://www.rfc-editor.org/rfc/rfc8725#section-3.1
        guard key.algorithm == algorithm else {
            throw .algorithmMismatch(token: algorithm, key: key.algorithm)
        }
        guard key.isValid(signature: content.signature, for: digest) else {
            throw .invalidSignature
        }
        return VerifiedToken(content: content)
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
