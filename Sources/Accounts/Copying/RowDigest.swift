import Crypto
import Foundation

/// How many rows there are, and a sum of their hashes.
///
/// Stores sort texts by rules of their own: a sum is the same in whatever order they give the rows.
package struct RowDigest: Hashable, Sendable {
    /// How many rows there are.
    package private(set) var count = 0
    private var sum: [UInt64] = [0, 0, 0, 0]

    /// The digest of no rows.
    package init() {}

    package mutating func add(_ row: StoreRow) {
        var bytes: [UInt8] = []
        for value in row { value.append(to: &bytes) }
        count += 1
        for (index, byte) in SHA256.hash(data: bytes).enumerated() {
            sum[index / 8] &+= UInt64(byte) << (UInt64(index % 8) * 8)
        }
    }
}

extension RowDigest {
    /// The digest as a text, which ``init(text:)`` reads.
    package var text: String {
        ([String(count)] + sum.map { String($0, radix: 16) }).joined(separator: ":")
    }

    /// Reads a digest.
    package init?(text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let words = parts.dropFirst().compactMap { UInt64($0, radix: 16) }
        guard parts.count == 5, words.count == 4, let count = Int(parts[0]) else { return nil }
        self.count = count
        sum = words
    }
}
