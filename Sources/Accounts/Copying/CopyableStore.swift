import Foundation

/// A store whose rows can be read and written unchanged, without any rule.
///
/// Only a database copy uses it, while no other process uses the store. The copy is recorded in its audit log.
package protocol CopyableStore: AuditStore {
    /// Returns the database's unique identifier; only copies of its files have the same.
    func databaseIdentity() async throws(AccountStoreError) -> String

    /// Counts the rows of a table.
    func rowCount(of table: StoreTable) async throws(AccountStoreError) -> Int

    /// Reads rows in the order in which the store sorts their keys; returns fewer than the maximum at the end.
    func rows(
        of table: StoreTable,
        after key: StoreRow?,
        maximumCount: Int
    ) async throws(AccountStoreError) -> [StoreRow]

    /// Reads the rows that have the given keys.
    func rows(of table: StoreTable, keys: [StoreRow]) async throws(AccountStoreError) -> [StoreRow]

    /// Returns the state of the copy; nil when the store is not a copy.
    func copyState() async throws(AccountStoreError) -> CopyState?

    /// Marks the store as an unfinished copy, which no server opens.
    func beginCopy(of source: String, now: Date) async throws(AccountStoreError)

    /// Adds rows and stores the progress in the same transaction; adds none of them after an error.
    func add(_ batch: CopyBatch) async throws(AccountStoreError)

    /// Removes all copied rows and the state of the copy.
    func discardCopy() async throws(AccountStoreError)

    /// Marks the copy as complete: servers may open the store.
    func finishCopy(now: Date) async throws(AccountStoreError)
}

/// The state of a copy, as the target stores it.
package struct CopyState: Hashable, Sendable {
    /// The progress of a table.
    package struct Table: Hashable, Sendable {
        /// The key of the last copied row, as ``CopyPosition`` encodes it.
        package let position: String
        /// The digest of all copied rows, as ``RowDigest/text``.
        package let digest: String

        package init(position: String, digest: String) {
            self.position = position
            self.digest = digest
        }
    }

    /// Why no server opens the store before the copy is finished.
    package static let unfinishedHint = "copy unfinished: run siwa database copy again"

    /// The identifier of the source database.
    package let source: String
    /// Whether all rows were copied and compared.
    package let isFinished: Bool
    /// The progress of the tables that have rows, by table name.
    package let tables: [String: Table]

    package init(source: String, isFinished: Bool, tables: [String: Table]) {
        self.source = source
        self.isFinished = isFinished
        self.tables = tables
    }
}

/// Rows that are added in one transaction.
package struct CopyBatch: Sendable {
    package let table: StoreTable
    package let rows: [StoreRow]
    /// The table's progress after these rows.
    package let state: CopyState.Table

    package init(table: StoreTable, rows: [StoreRow], state: CopyState.Table) {
        self.table = table
        self.rows = rows
        self.state = state
    }
}

/// The key of a row as a string.
enum CopyPosition {
    /// Encodes the bytes of a key; the table's columns define their types.
    static func text(_ key: StoreRow) -> String {
        key.map { value in
            switch value {
            case .text(let text): Data(text.utf8).base64EncodedString()
            case .bytes(let bytes): bytes.base64EncodedString()
            case .integer(let number): Data(String(number).utf8).base64EncodedString()
            // Not in any key.
            case .null, .boolean: ""
            }
        }
        .joined(separator: ".")
    }

    /// Decodes a key; nil when it is not a key of the table.
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
