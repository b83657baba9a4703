import Foundation

/// A token whose signature was checked; only ``UnverifiedToken/verified(with:)`` makes one.
///
/// The claims inside may still be expired or meant for someone else.
public struct VerifiedToken: Hashable, Sendable {
    /// The header that was signed.
    public let header: TokenHeader
    /// The claims that were signed, as JSON.
    public let payload: Data

    init(header: TokenHeader, payload: Data) {
        self.header = header
        self.payload = payload
    }
}
