import Foundation

/// The state of a copy, as the target stores it.
package struct CopyState: Hashable, Sendable {
    /// The progress of a table.
    package struct Table: Hashable, Sendable {
        /// The key of the last copied row, as ``CopyPosition`` encodes it.
        package let position: String
        /// The digest of all copied rows, as ``RowDigest/text``.
        package let digest: String
    }

    /// Why no server opens the store before the copy is finished.
    package static let unfinishedHint = "copy unfinished: run siwa database copy again"

    /// The identifier of the source database.
    package let source: String
    /// Whether all rows were copied and compared.
    package let isFinished: Bool
    /// The progress of the tables that have rows, by table name.
    package let tables: [String: Table]
}

/// Rows that are added in one transaction.
package struct CopyBatch: Sendable {
    package let table: StoreTable
    package let rows: [StoreRow]
    /// The table's progress after these rows.
    package let state: CopyState.Table
}

/// The key of a row as a string.
enum CopyPosition {
    /// Encodes the bytes of a key; the table's columns define their types.
    static func text(_ key: StoreRow) -> String {
        key.map { value in
            switch value {
            case .text(let text?): Data(text.utf8).base64EncodedString()
            case .bytes(let bytes?): bytes.base64EncodedString()
            case .integer(let number?): Data(String(number).utf8).base64EncodedString()
            // Not in any key.
            case .text, .integer, .bytes, .boolean: ""
            }
        }
        .joined(separator: ".")
    }

    /// Decodes a key; nil when it is not a key of the table.
    static func key(_ text: String, of table: StoreTable) -> StoreRow? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            .compactMap { Data(base64Encoded: String($0)) }
        guard parts.count == table.key.count else { return nil }
        let values = zip(table.key, parts).compactMap { column, bytes -> SQLValue? in
            switch column.kind {
            case .text: .text(String(decoding: bytes, as: UTF8.self))
            case .bytes: .bytes(bytes)
            case .integer: Int64(String(decoding: bytes, as: UTF8.self)).map { .integer($0) }
            case .boolean: nil
            }
        }
        return values.count == parts.count ? values : nil
    }
}
