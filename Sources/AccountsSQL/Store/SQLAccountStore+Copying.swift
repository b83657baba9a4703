import Accounts
import AppleIdentity
import Foundation

extension SQLAccountStore {
    /// Returns the database's unique name, which was created with its tables.
    package func databaseIdentity() async throws(AccountStoreError) -> String {
        let name = try await database.read { question in
            question.first("SELECT name FROM store_identity", []) { try $0.text(0) }
        }
        guard let name else {
            throw AccountStoreError(.failed, hint: "the table store_identity is empty")
        }
        return name
    }

    package func rowCount(of table: StoreTable) async throws(AccountStoreError) -> Int {
        try await database.read { question in
            question.ask("SELECT count(*) FROM \(table.name)", []) { try $0.first?.count(0) ?? 0 }
        }
    }

    /// Returns rows in the order in which the database sorts their keys.
    package func rows(
        of table: StoreTable,
        after key: StoreRow?,
        maximumCount: Int
    ) async throws(AccountStoreError) -> [StoreRow] {
        let condition = key == nil ? "" : "WHERE (\(table.keyList)) > (\(table.keyMarks))"
        return try await database.read { question in
            question.list(
                """
                SELECT \(table.columnList) FROM \(table.name) \(condition)
                ORDER BY \(table.keyList) LIMIT $\((key?.count ?? 0) + 1)
                """,
                table.values(of: key ?? []) + [.count(maximumCount)],
                table.read
            )
        }
    }

    package func rows(
        of table: StoreTable,
        keys: [StoreRow]
    ) async throws(AccountStoreError) -> [StoreRow] {
        let sql = """
            SELECT \(table.columnList) FROM \(table.name) WHERE (\(table.keyList)) = (\(table.keyMarks))
            """
        return try await database.read { question in
            let rows = keys.map { question.first(sql, table.values(of: $0), table.read) }
            return Fact { answers in try rows.compactMap { try answers[$0] } }
        }
    }

    package func copyState() async throws(AccountStoreError) -> CopyState? {
        try await database.read { question in
            let copy = question.first("SELECT source, finished_at FROM store_copies", []) { row in
                (source: try row.text(0), isFinished: try row.optionalInteger(1) != nil)
            }
            let tables = question.list("SELECT name, position, digest FROM copied_tables", []) {
                (
                    try $0.text(0),
                    CopyState.Table(position: try $0.text(1), digest: try $0.text(2))
                )
            }
            return Fact { answers in
                guard let copy = try answers[copy] else { return nil }
                return CopyState(
                    source: copy.source,
                    isFinished: copy.isFinished,
                    tables: Dictionary(try answers[tables]) { first, _ in first }
                )
            }
        }
    }

    package func beginCopy(of source: String, now: Date) async throws(AccountStoreError) {
        try await database.run(
            "INSERT INTO store_copies (id, source, started_at) VALUES (1, $1, $2)",
            [.text(source), .date(now)]
        )
    }

    /// Adds rows and records the progress of the copy.
    ///
    /// A concurrent copy of the same rows fails because their keys must be unique.
    package func add(_ batch: CopyBatch) async throws(AccountStoreError) {
        let state = Statement.put(
            into: "copied_tables",
            key: "name",
            [
                "name": .text(batch.table.name), "position": .text(batch.state.position),
                "digest": .text(batch.state.digest),
            ]
        )
        try await change(batch.rows.map(batch.table.insertion) + [state])
    }

    package func discardCopy() async throws(AccountStoreError) {
        let tables = StoreTable.all.reversed().map(\.name) + ["copied_tables", "store_copies"]
        try await change(tables.map { .command("DELETE FROM \($0)") })
    }

    package func finishCopy(now: Date) async throws(AccountStoreError) {
        try await openCopy(now: now)
    }

    /// Marks the copy as complete.
    package func openCopy(now: Date) async throws(AccountStoreError) {
        try await change([Statement("UPDATE store_copies SET finished_at = $1", [.date(now)])])
    }

    private func change(_ statements: [Statement]) async throws(AccountStoreError) {
        _ = try await database.run(statements) { _ in [] }
    }
}

extension StoreTable {
    fileprivate var columnList: String { columns.map(\.name).joined(separator: ", ") }
    fileprivate var keyList: String { key.map(\.name).joined(separator: ", ") }
    fileprivate var keyMarks: String { Statement.marks(key.count) }

    fileprivate func insertion(of row: StoreRow) -> Statement {
        Statement(
            "INSERT INTO \(name) (\(columnList)) VALUES (\(Statement.marks(columns.count)))",
            values(of: row)
        )
    }

    /// Pairs the values of a row with the types of the first columns.
    fileprivate func values(of row: StoreRow) -> [SQLValue] {
        zip(columns, row).map { column, value in
            switch value {
            case .null: column.kind.null
            case .text(let text): .text(text)
            case .integer(let number): .integer(number)
            case .boolean(let isSo): .boolean(isSo)
            case .bytes(let bytes): .bytes(bytes)
            }
        }
    }

    fileprivate func read(_ row: SQLRow) throws -> StoreRow {
        try columns.enumerated().map { index, column in
            switch column.kind {
            case .text: try row.optionalText(index).map { .text($0) } ?? .null
            case .integer: try row.optionalInteger(index).map { .integer($0) } ?? .null
            case .boolean: .boolean(try row.boolean(index))
            case .bytes: try row.optionalBytes(index).map { .bytes($0) } ?? .null
            }
        }
    }
}

extension StoreColumn.Kind {
    /// NULL with the column's type.
    fileprivate var null: SQLValue {
        switch self {
        case .text, .boolean: .text(nil)
        case .integer: .integer(nil)
        case .bytes: .bytes(nil)
        }
    }
}
