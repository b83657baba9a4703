import Accounts
import AppleIdentity
import Foundation
import GRDB

extension SQLiteAccountStore: CopyableStore {
    /// The file's own name, made with its tables.
    package func databaseIdentity() async throws(AccountStoreError) -> String {
        let name = try await read {
            try String.fetchOne($0, sql: "SELECT name FROM store_identity")
        }
        guard let name else {
            throw AccountStoreError(.failed, hint: "the table store_identity has lost its row")
        }
        return name
    }

    /// Counts the rows of a table.
    package func rowCount(of table: StoreTable) async throws(AccountStoreError) -> Int {
        try await read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table.name)") ?? 0 }
    }

    /// Reads rows in the order of their keys' bytes.
    package func rows(
        of table: StoreTable,
        after key: StoreRow?,
        maximumCount: Int
    ) async throws(AccountStoreError) -> [StoreRow] {
        let condition = key == nil ? "" : "WHERE \(table.keyList) > \(table.keyMarks)"
        let sql = """
            SELECT \(table.columnList) FROM \(table.name) \(condition)
            ORDER BY \(table.key.map(\.name).joined(separator: ", ")) LIMIT ?
            """
        return try await read { database in
            let arguments = StatementArguments((key ?? []).map(\.sqlite) + [maximumCount])
            return try database.rows(sql, arguments).map(table.read)
        }
    }

    /// Looks rows up, one after the other.
    package func rows(
        of table: StoreTable,
        keys: [StoreRow]
    ) async throws(AccountStoreError) -> [StoreRow] {
        let sql = """
            SELECT \(table.columnList) FROM \(table.name) WHERE \(table.keyList) = \(table.keyMarks)
            """
        return try await read { database in
            try keys.compactMap { key in
                try database.row(sql, StatementArguments(key.map(\.sqlite))).map(table.read)
            }
        }
    }

    /// What the file knows of the copy that it is.
    package func copyState() async throws(AccountStoreError) -> CopyState? {
        try await read { database in
            guard let copy = try database.row("SELECT source, finished_at FROM store_copies", [])
            else { return nil }
            let finishedAt: Int64? = copy[1]
            let tables = try database.rows("SELECT name, position, digest FROM copied_tables", [])
                .map { ($0[0] as String, CopyState.Table(position: $0[1], digest: $0[2])) }
            return CopyState(
                source: copy[0],
                isFinished: finishedAt != nil,
                tables: Dictionary(tables) { first, _ in first }
            )
        }
    }

    /// Writes down that the file becomes a copy.
    package func beginCopy(of source: String, now: Date) async throws(AccountStoreError) {
        try await copying { database in
            try database.run(
                "INSERT INTO store_copies (id, source, started_at) VALUES (1, ?, ?)",
                [source, now.microseconds]
            )
        }
    }

    /// Adds rows, and writes down how far the copy is.
    package func add(_ batch: CopyBatch) async throws(AccountStoreError) {
        let table = batch.table
        let marks = Array(repeating: "?", count: table.columns.count).joined(separator: ", ")
        let sql = "INSERT INTO \(table.name) (\(table.columnList)) VALUES (\(marks))"
        try await copying { database in
            for row in batch.rows {
                try database.run(sql, StatementArguments(row.map(\.sqlite)))
            }
            try database.run(
                """
                INSERT INTO copied_tables (name, position, digest) VALUES (?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET
                    position = excluded.position, digest = excluded.digest
                """,
                [table.name, batch.state.position, batch.state.digest]
            )
        }
    }

    /// Removes what was copied.
    package func discardCopy() async throws(AccountStoreError) {
        try await copying { database in
            let tables = StoreTable.all.reversed().map(\.name)
            for table in tables + ["copied_tables", "store_copies"] {
                try database.execute(sql: "DELETE FROM \(table)")
            }
        }
    }

    /// Lets servers open the file.
    package func finishCopy(now: Date) async throws(AccountStoreError) {
        try await copying { database in
            try database.run("UPDATE store_copies SET finished_at = ?", [now.microseconds])
        }
    }

    /// Refuses a file that is half of another database.
    static func refuseUnfinishedCopy(_ queue: DatabaseQueue) throws {
        let isUnfinished = try queue.read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT 1 FROM store_copies WHERE finished_at IS NULL"
            ) != nil
        }
        guard !isUnfinished else {
            throw AccountStoreError(.failed, hint: CopyState.unfinishedHint)
        }
    }

    private func copying(
        _ work: @escaping @Sendable (Database) throws -> Void
    ) async throws(AccountStoreError) {
        try await writer.write { database in
            try work(database)
            return ((), [])
        }
    }
}

extension StoreTable {
    fileprivate var columnList: String { columns.map(\.name).joined(separator: ", ") }
    fileprivate var keyList: String { "(\(key.map(\.name).joined(separator: ", ")))" }
    fileprivate var keyMarks: String { "(\(key.map { _ in "?" }.joined(separator: ", ")))" }

    fileprivate func read(_ row: Row) -> StoreRow {
        columns.enumerated().map { index, column in
            guard !row.hasNull(atIndex: index) else { return .null }
            return switch column.kind {
            case .text: .text(row[index])
            case .integer: .integer(row[index])
            case .boolean: .boolean(row[index])
            case .bytes: .bytes(row[index])
            }
        }
    }
}

extension StoreValue {
    fileprivate var sqlite: (any DatabaseValueConvertible)? {
        switch self {
        case .null: nil
        case .text(let text): text
        case .integer(let number): number
        case .boolean(let isSo): isSo
        case .bytes(let bytes): bytes
        }
    }
}
