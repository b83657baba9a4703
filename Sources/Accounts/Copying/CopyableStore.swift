import Foundation

/// A store whose rows can be read and written as they are, with no rule in between.
///
/// Only a copy uses it, of a store that nobody else uses meanwhile. Its audit log tells of it.
package protocol CopyableStore: AuditStore {
    /// A name that no other database has, but for copies of its files.
    func databaseIdentity() async throws(AccountStoreError) -> String

    /// Counts the rows of a table; returns how many rows it has.
    func rowCount(of table: StoreTable) async throws(AccountStoreError) -> Int

    /// Reads rows in the order of their keys, as the store sorts them; returns the rows; fewer than the maximum at
    /// the end.
    func rows(
        of table: StoreTable,
        after key: StoreRow?,
        maximumCount: Int
    ) async throws(AccountStoreError) -> [StoreRow]

    /// Looks rows up.
    func rows(of table: StoreTable, keys: [StoreRow]) async throws(AccountStoreError) -> [StoreRow]

    /// What the store knows of the copy that it is; nil when the store is none.
    func copyState() async throws(AccountStoreError) -> CopyState?

    /// Writes down that the store becomes a copy; from then on no server opens it.
    func beginCopy(of source: String, now: Date) async throws(AccountStoreError)

    /// Adds rows, and writes down in the same transaction how far the copy is; after an error, none of them was
    /// added.
    func add(_ batch: CopyBatch) async throws(AccountStoreError)

    /// Removes all rows that were copied, and what the store knows of the copy.
    func discardCopy() async throws(AccountStoreError)

    /// Writes down that the copy is complete: servers may open the store.
    func finishCopy(now: Date) async throws(AccountStoreError)
}

/// What a store knows of the copy that it is.
package struct CopyState: Hashable, Sendable {
    /// How far a table is.
    package struct Table: Hashable, Sendable {
        /// The key of the last row, as ``CopyPosition`` writes it.
        package let position: String
        /// All rows so far, as ``RowDigest/text``.
        package let digest: String

        /// Describes how far a table is.
        package init(position: String, digest: String) {
            self.position = position
            self.digest = digest
        }
    }

    /// Why no server opens the store.
    package static let unfinishedHint = "copy unfinished: run siwa database copy again"

    /// The identity of the database that is copied.
    package let source: String
    /// Whether all of it was copied and compared.
    package let isFinished: Bool
    /// The tables that have rows, by their names.
    package let tables: [String: Table]

    /// Describes a copy.
    package init(source: String, isFinished: Bool, tables: [String: Table]) {
        self.source = source
        self.isFinished = isFinished
        self.tables = tables
    }
}

/// Rows that are added at once.
package struct CopyBatch: Sendable {
    package let table: StoreTable
    package let rows: [StoreRow]
    /// How far the table is with them.
    package let state: CopyState.Table

    /// Puts rows together.
    package init(table: StoreTable, rows: [StoreRow], state: CopyState.Table) {
        self.table = table
        self.rows = rows
        self.state = state
    }
}

/// The key of a row as a text.
enum CopyPosition {
    /// Writes a key: its values have the kinds of the table's columns, so that their bytes are enough.
    static func text(_ key: StoreRow) -> String {
        key.map { value in
            switch value {
            case .text(let text): Data(text.utf8).base64EncodedString()
            case .bytes(let bytes): bytes.base64EncodedString()
            case .integer(let number): Data(String(number).utf8).base64EncodedString()
            // No key has any.
            case .null, .boolean: ""
            }
        }
        .joined(separator: ".")
    }

    /// Reads a key; nil when it is none of the table.
    static func key(_ text: String, of table: StoreTable) -> StoreRow? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            .compactMap { Data(base64Encoded: String($0)) }
        guard parts.count == table.key.count else { return nil }
        let values = zip(table.key, parts).compactMap { column, bytes -> StoreValue? in
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
