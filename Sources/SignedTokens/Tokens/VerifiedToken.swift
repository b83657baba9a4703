import Foundation

/// A token whose signature was checked; only ``UnverifiedToken/verified(with:)`` makes one.
///
/// The claims inside may still be expired or meant for someone else.
package struct VerifiedToken: Hashable, Sendable {
    @usableFromInline let content: TokenContent

    init(content: TokenContent) {
        self.content = content
    }

    /// The claims that were signed, as JSON.
    package var payload: Data { content.withPayload { Data($0) } }

    /// Lends the claims that were signed, as JSON, to a body; it must not keep them.
    @inlinable
    package func withPayload<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try content.withPayload(body)
    }
}
