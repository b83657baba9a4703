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

extension SQLValue {
    /// Appends the value's type, length and bytes; different rows never have the same bytes.
    fileprivate func append(to buffer: inout [UInt8]) {
        switch self {
        case .text(nil), .integer(nil), .bytes(nil): buffer.append(0)
        case .text(let text?): Self.append(1, text.utf8, to: &buffer)
        case .integer(let number?):
            withUnsafeBytes(of: number.bigEndian) { Self.append(2, $0, to: &buffer) }
        case .boolean(let value): buffer += [3, value ? 1 : 0]
        case .bytes(let bytes?): Self.append(4, bytes, to: &buffer)
        }
    }

    private static func append(
        _ kind: UInt8,
        _ bytes: some Collection<UInt8>,
        to buffer: inout [UInt8]
    ) {
        buffer.append(kind)
        withUnsafeBytes(of: UInt64(bytes.count).bigEndian) { buffer.append(contentsOf: $0) }
        buffer.append(contentsOf: bytes)
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
