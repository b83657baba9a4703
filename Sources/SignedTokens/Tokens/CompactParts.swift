import Foundation

/// The three parts of a compact JWS; they point into its characters.
///
/// Source: [RFC 7515, section 3.1](https://www.rfc-editor.org/rfc/rfc7515#section-3.1)
struct CompactParts {
    private static let dot = UInt8(ascii: ".")

    let header: UnsafeBufferPointer<UInt8>
    let payload: UnsafeBufferPointer<UInt8>
    let signature: UnsafeBufferPointer<UInt8>
    /// What the signature is over: the first two parts with the dot between.
    let signingInput: UnsafeBufferPointer<UInt8>

    init(_ compact: UnsafeBufferPointer<UInt8>) throws(SignedTokenError) {
        guard let first = compact.firstIndex(of: Self.dot),
            let second = compact[(first + 1)...].firstIndex(of: Self.dot),
            !compact[(second + 1)...].contains(Self.dot)
        else {
            let partCount = compact.count { $0 == Self.dot } + 1
            throw .malformed(reason: "it has \(partCount) parts instead of 3")
        }
        header = UnsafeBufferPointer(rebasing: compact[..<first])
        payload = UnsafeBufferPointer(rebasing: compact[(first + 1)..<second])
        signature = UnsafeBufferPointer(rebasing: compact[(second + 1)...])
        signingInput = UnsafeBufferPointer(rebasing: compact[..<second])
    }
}
