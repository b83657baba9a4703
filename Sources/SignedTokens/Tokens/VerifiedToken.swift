import Foundation

/// A token whose signature was checked; only ``UnverifiedToken/verified(with:)`` makes one.
///
/// The claims inside may still be expired or meant for someone else.
public struct VerifiedToken: Hashable, Sendable {
    @usableFromInline let content: TokenContent

    init(content: TokenContent) {
        self.content = content
    }

    /// The claims that were signed, as JSON.
    public var payload: Data { content.withPayload { Data($0) } }

    /// Lends the claims that were signed, as JSON, to a body; it must not keep them.
    @inlinable
    package func withPayload<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        content.withPayload(body)
    }
}
