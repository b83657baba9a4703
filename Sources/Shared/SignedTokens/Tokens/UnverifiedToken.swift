import Crypto
import Foundation

/// A compact JWS that is split and decoded, but not verified.
///
/// Source: [RFC 7515, section 5.2](https://www.rfc-editor.org/rfc/rfc7515#section-5.2)
package struct UnverifiedToken: Hashable, Sendable {
    /// The maximum size of a token, in bytes; Apple's are below 1 200.
    package static let maximumByteCount = 16 * 1024

    /// The header, with its unverified claims about the signature.
    package let header: TokenHeader
    /// The algorithm in the header, one of the two supported.
    package let algorithm: SignatureAlgorithm

    private let content: TokenContent
    private let digest: SHA256.Digest

    /// The claims as JSON, not verified.
    package var unverifiedPayload: Data { content.withPayload { Data($0) } }

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

    /// Verifies the signature with a key that the caller trusts.
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
        // RFC 7515, section 4.1.11: a recipient must reject a critical extension that it does not
        // understand. https://www.rfc-editor.org/rfc/rfc7515#section-4.1.11
        if let extensions = header.criticalExtensions {
            throw .criticalExtension(extensions)
        }
        guard header.isPayloadEncoded != false else {
            throw .criticalExtension(["b64"])
        }
        return algorithm
    }
}

/// The three parts of a compact JWS; they point into its characters.
///
/// Source: [RFC 7515, section 3.1](https://www.rfc-editor.org/rfc/rfc7515#section-3.1)
struct CompactParts {
    private static let dot = UInt8(ascii: ".")

    let header: UnsafeBufferPointer<UInt8>
    let payload: UnsafeBufferPointer<UInt8>
    let signature: UnsafeBufferPointer<UInt8>
    /// The signed part: the first two parts with the dot between.
    let signingInput: UnsafeBufferPointer<UInt8>

    init(_ compact: UnsafeBufferPointer<UInt8>) throws(SignedTokenError) {
        guard let first = Self.firstDot(in: compact[...]),
            let second = Self.firstDot(in: compact[(first + 1)...]),
            Self.firstDot(in: compact[(second + 1)...]) == nil
        else {
            let partCount = compact.count { $0 == Self.dot } + 1
            throw .malformed(
                reason: "it has \(partCount) part\(partCount == 1 ? "" : "s") instead of 3"
            )
        }
        header = UnsafeBufferPointer(rebasing: compact[..<first])
        payload = UnsafeBufferPointer(rebasing: compact[(first + 1)..<second])
        signature = UnsafeBufferPointer(rebasing: compact[(second + 1)...])
        signingInput = UnsafeBufferPointer(rebasing: compact[..<second])
    }

    /// Like `firstIndex(of:)`, with the system's search, which compares many bytes at once.
    private static func firstDot(in characters: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        let part = UnsafeBufferPointer(rebasing: characters)
        guard let start = part.baseAddress,
            let found = memchr(start, CInt(dot), part.count)
        else { return nil }
        return characters.startIndex + (UnsafeRawPointer(found) - UnsafeRawPointer(start))
    }
}

/// A token's payload and signature, decoded into one piece of memory.
@usableFromInline
struct TokenContent: Hashable, Sendable {
    @usableFromInline let bytes: [UInt8]
    @usableFromInline let payloadByteCount: Int

    /// Decodes the second and the third part of a compact JWS.
    init(
        payload: UnsafeBufferPointer<UInt8>,
        signature: UnsafeBufferPointer<UInt8>
    ) throws(SignedTokenError) {
        guard let payloadByteCount = Base64URL.byteCount(of: payload) else {
            throw .notBase64URL("payload")
        }
        guard let signatureByteCount = Base64URL.byteCount(of: signature) else {
            throw .notBase64URL("signature")
        }
        var invalidPart: String?
        let byteCount = payloadByteCount + signatureByteCount
        bytes = Array(unsafeUninitializedCapacity: byteCount) { bytes, initializedCount in
            initializedCount = byteCount
            let (front, back) = (bytes[..<payloadByteCount], bytes[payloadByteCount..<byteCount])
            if !Base64URL.decode(payload, into: UnsafeMutableBufferPointer(rebasing: front)) {
                invalidPart = "payload"
            } else if !Base64URL.decode(
                signature,
                into: UnsafeMutableBufferPointer(rebasing: back)
            ) {
                invalidPart = "signature"
            }
        }
        if let invalidPart { throw .notBase64URL(invalidPart) }
        self.payloadByteCount = payloadByteCount
    }

    @inlinable
    func withPayload<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
            try body(UnsafeBufferPointer(rebasing: bytes[..<payloadByteCount]))
        }
    }

    var signature: Data {
        bytes.withUnsafeBufferPointer { Data(buffer: .init(rebasing: $0[payloadByteCount...])) }
    }
}

/// A token with a verified signature, which only ``UnverifiedToken/verified(with:)`` creates.
///
/// Its claims may still be expired or for another audience.
package struct VerifiedToken: Hashable, Sendable {
    @usableFromInline let content: TokenContent

    init(content: TokenContent) { self.content = content }

    /// The signed claims as JSON.
    package var payload: Data { content.withPayload { Data($0) } }

    /// Passes the signed claims as JSON to a body, which must not store them.
    @inlinable
    package func withPayload<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try content.withPayload(body)
    }
}
