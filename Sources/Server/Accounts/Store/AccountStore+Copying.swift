import AppleIdentity
import Foundation

extension AccountStore {
    /// Returns the database's unique identifier; only copies of its files have the same.
    package func databaseIdentity() async throws(AccountStoreError) -> String {
        let name = try await database.read { query in
            query.first("SELECT name FROM store_identity", []) { try $0.text(0) }
        }
        guard let name else {
            throw AccountStoreError(.failed, hint: "the table store_identity is empty")
        }
        return name
    }

    /// Counts the rows of a table.
    package func rowCount(of table: StoreTable) async throws(AccountStoreError) -> Int {
        try await database.read { query in
            query.add("SELECT count(*) FROM \(table.name)", []) { try $0.first?.count(0) ?? 0 }
        }
    }

    /// Reads rows in the order in which the store sorts their keys; returns fewer than the maximum at the end.
    package func rows(
        of table: StoreTable,
        after key: StoreRow?,
        maximumCount: Int
    ) async throws(AccountStoreError) -> [StoreRow] {
        let condition = key == nil ? "" : "WHERE (\(table.key.names)) > (\(table.keyMarks))"
        return try await database.read { query in
            query.list(
                """
                SELECT \(table.columns.names) FROM \(table.name) \(condition)
                ORDER BY \(table.key.names) LIMIT $\((key?.count ?? 0) + 1)
                """,
                (key ?? []) + [.count(maximumCount)],
                table.read
            )
        }
    }

    /// Reads the rows that have the given keys.
    package func rows(
        of table: StoreTable,
        keys: [StoreRow]
    ) async throws(AccountStoreError) -> [StoreRow] {
        let sql = """
            SELECT \(table.columns.names) FROM \(table.name) WHERE (\(table.key.names)) = (\(table.keyMarks))
            """
        return try await database.read { query in
            let rows = keys.map { query.first(sql, $0, table.read) }
            return QueryResult { results in try rows.compactMap { try results[$0] } }
        }
    }

    /// Returns the state of the copy; nil when the store is not a copy.
    package func copyState() async throws(AccountStoreError) -> CopyState? {
        try await database.read { query in
            let copy = query.first("SELECT source, finished_at FROM store_copies", []) { row in
                (source: try row.text(0), isFinished: try row.optionalDate(1) != nil)
            }
            let tables = query.list("SELECT name, position, digest FROM copied_tables", []) {
                (
                    try $0.text(0),
                    CopyState.Table(position: try $0.text(1), digest: try $0.text(2))
                )
            }
            return QueryResult { results in
                guard let copy = try results[copy] else { return nil }
                return CopyState(
                    source: copy.source,
                    isFinished: copy.isFinished,
                    tables: Dictionary(try results[tables]) { first, _ in first }
                )
            }
        }
    }

    /// Marks the store as an unfinished copy, which no server opens.
    package func beginCopy(of source: String, now: Date) async throws(AccountStoreError) {
        try await database.run(
            "INSERT INTO store_copies (id, source, started_at) VALUES (1, $1, $2)",
            [.text(source), .date(now)]
        )
    }

    /// Adds rows and stores the progress in the same transaction; adds none of them after an error.
    ///
    /// A concurrent copy of the same rows fails because their keys must be unique.
    package func add(_ batch: CopyBatch) async throws(AccountStoreError) {
        let state = Statement(
            """
            INSERT INTO copied_tables (name, position, digest) VALUES ($1, $2, $3)
            ON CONFLICT (name) DO UPDATE SET position = excluded.position,
                digest = excluded.digest
            """,
            [.text(batch.table.name), .text(batch.state.position), .text(batch.state.digest)]
        )
        let insertion = batch.table.insertion
        try await change(batch.rows.map { Statement(insertion, $0) } + [state])
    }

    /// Removes all copied rows and the state of the copy.
    package func discardCopy() async throws(AccountStoreError) {
        let tables = StoreTable.all.reversed().map(\.name) + ["copied_tables", "store_copies"]
        try await change(tables.map { .command("DELETE FROM \($0)") })
    }

    /// Marks the copy as complete: servers may open the store.
    ///
    /// Only tables with rows get statistics: those of an empty one would cause scans once it has grown.
    package func finishCopy(now: Date) async throws(AccountStoreError) {
        let state = try await copyState()
        await database.updateStatistics(
            of: StoreTable.all.map(\.name).filter { state?.tables[$0] != nil }
        )
        try await change([Statement("UPDATE store_copies SET finished_at = $1", [.date(now)])])
    }

    private func change(_ statements: [Statement]) async throws(AccountStoreError) {
        _ = try await database.run(statements) { _ in [] }
    }
}

extension StoreTable {
    fileprivate var keyMarks: String {
        key.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    }

    fileprivate var insertion: String {
        let marks = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        return "INSERT INTO \(name) (\(columns.names)) VALUES (\(marks))"
    }

    /// Reads a row with the types of the columns, which SQLite does not tell of NULL and booleans.
    @Sendable fileprivate func read(_ row: SQLRow) -> StoreRow {
        zip(columns, row.values).map { column, value in
            if value.isNull { return .null(column.kind) }
            return column.kind == .boolean ? .boolean(Bool(stored: value) ?? false) : value
        }
    }
}
