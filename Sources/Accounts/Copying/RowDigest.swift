import Crypto
import Foundation

/// The number of rows and the sum of their hashes.
///
/// A sum does not depend on the order of the rows, which differs between stores.
package struct RowDigest: Hashable, Sendable {
    /// The number of rows.
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
    /// The digest as a string, which ``init(text:)`` reads.
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
