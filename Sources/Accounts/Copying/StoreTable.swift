import Foundation

/// A table that every store has, as a copy reads and writes it.
package struct StoreTable: Hashable, Sendable {
    package let name: String
    /// The columns of the primary key, by which rows are ordered.
    package let key: [StoreColumn]
    /// The other columns.
    package let values: [StoreColumn]

    /// All columns, those of the key first.
    package var columns: [StoreColumn] { key + values }

    init(_ name: String, key: [StoreColumn], _ values: [StoreColumn] = []) {
        self.name = name
        self.key = key
        self.values = values
    }

    /// The values of a row's key.
    package func key(of row: StoreRow) -> StoreRow { Array(row.prefix(key.count)) }
}

/// The values of a row, in the order of its table's columns.
package typealias StoreRow = [StoreValue]

package struct StoreColumn: Hashable, Sendable {
    /// The type of a column's values, for which each store has its own type.
    package enum Kind: Hashable, Sendable {
        case text
        case integer
        case boolean
        case bytes
    }

    package let name: String
    /// The type of its values.
    package let kind: Kind
    /// Whether its values may be null.
    package let isOptional: Bool

    static func text(_ name: String) -> StoreColumn { column(name, .text) }
    static func integer(_ name: String) -> StoreColumn { column(name, .integer) }
    static func boolean(_ name: String) -> StoreColumn { column(name, .boolean) }
    static func bytes(_ name: String) -> StoreColumn { column(name, .bytes) }

    /// The same column, whose values may be null.
    var optional: StoreColumn { StoreColumn(name: name, kind: kind, isOptional: true) }

    private static func column(_ name: String, _ kind: Kind) -> StoreColumn {
        StoreColumn(name: name, kind: kind, isOptional: false)
    }
}

/// A value of a row, in the form that all stores share.
package enum StoreValue: Hashable, Sendable {
    case null
    case text(String)
    case integer(Int64)
    case boolean(Bool)
    case bytes(Data)
}

extension StoreValue {
    /// Appends the value's type, length and bytes; different rows never have the same bytes.
    func append(to buffer: inout [UInt8]) {
        switch self {
        case .null: buffer.append(0)
        case .text(let text): Self.append(1, text.utf8, to: &buffer)
        case .integer(let number):
            withUnsafeBytes(of: number.bigEndian) { Self.append(2, $0, to: &buffer) }
        case .boolean(let isSo): buffer += [3, isSo ? 1 : 0]
        case .bytes(let bytes): Self.append(4, bytes, to: &buffer)
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

    /// The value for messages: a string, a number, or bytes in hexadecimal digits.
    package var description: String {
        switch self {
        case .null: "nothing"
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .boolean(let isSo): "\(isSo)"
        case .bytes(let bytes):
            bytes.map { byte in
                let digits = String(byte, radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }
            .joined()
        }
    }
}
