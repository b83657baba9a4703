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
        guard let first = Self.firstDot(in: compact[...]),
            let second = Self.firstDot(in: compact[(first + 1)...]),
            Self.firstDot(in: compact[(second + 1)...]) == nil
        else {
            let partCount = compact.count { $0 == Self.dot } + 1
            throw .malformed(reason: "it has \(partCount) parts instead of 3")
        }
        header = UnsafeBufferPointer(rebasing: compact[..<first])
        payload = UnsafeBufferPointer(rebasing: compact[(first + 1)..<second])
        signature = UnsafeBufferPointer(rebasing: compact[(second + 1)...])
        signingInput = UnsafeBufferPointer(rebasing: compact[..<second])
    }

    /// Like `firstIndex(of:)`, by the system's search, which looks at many bytes at once.
    private static func firstDot(in characters: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        let part = UnsafeBufferPointer(rebasing: characters)
        guard let start = part.baseAddress,
            let found = memchr(start, CInt(dot), part.count)
        else { return nil }
        return characters.startIndex + (UnsafeRawPointer(found) - UnsafeRawPointer(start))
    }
}
