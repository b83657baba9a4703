import Foundation

/// A token's payload and signature, decoded side by side into one piece of memory.
@usableFromInline
struct TokenContent: Hashable, Sendable {
    @usableFromInline let bytes: [UInt8]
    @usableFromInline let payloadByteCount: Int

    /// Decodes the two parts.
    ///
    /// - Parameters:
    ///   - payload: the second part of a compact JWS.
    ///   - signature: its third part.
    /// - Throws: ``SignedTokenError/malformed(reason:)`` when one is not strict base64url.
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

    /// Lends the payload's bytes to a body.
    @inlinable
    func withPayload<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
            try body(UnsafeBufferPointer(rebasing: bytes[..<payloadByteCount]))
        }
    }

    /// The signature's bytes.
    var signature: Data {
        bytes.withUnsafeBufferPointer { Data(buffer: .init(rebasing: $0[payloadByteCount...])) }
    }
}
