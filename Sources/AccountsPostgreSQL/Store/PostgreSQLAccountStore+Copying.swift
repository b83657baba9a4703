import Accounts
import AppleIdentity
import Foundation

extension PostgreSQLAccountStore: CopyableStore {
    /// The database's own name, made with its tables.
    package func databaseIdentity() async throws(AccountStoreError) -> String {
        let rows = try await database.run("SELECT name FROM store_identity", [])
        guard let row = rows.first else {
            throw AccountStoreError(.failed, hint: "the table store_identity has lost its row")
        }
        return try row.text(0)
    }

    /// How many other connections programs of this project have to the database.
    ///
    /// - Returns: how many there are, as far as this user may see them.
    /// - Throws: `AccountStoreError`.
    package func otherConnectionCount() async throws(AccountStoreError) -> Int {
        let rows = try await database.run(
            """
            SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
                AND application_name = current_setting('application_name')
                AND pid <> pg_backend_pid()
            """,
            []
        )
        return try rows.first?.count(0) ?? 0
    }

    /// Counts the rows of a table.
    package func rowCount(of table: StoreTable) async throws(AccountStoreError) -> Int {
        let rows = try await database.run("SELECT count(*) FROM \(table.name)", [])
        return try rows.first?.count(0) ?? 0
    }

    /// Reads rows in the order of their keys, by the database's collation.
    package func rows(
        of table: StoreTable,
        after key: StoreRow?,
        maximumCount: Int
    ) async throws(AccountStoreError) -> [StoreRow] {
        let condition = key == nil ? "" : "WHERE (\(table.keyList)) > (\(table.keyMarks))"
        let rows = try await database.run(
            """
            SELECT \(table.columnList) FROM \(table.name) \(condition)
            ORDER BY \(table.keyList) LIMIT $\((key?.count ?? 0) + 1)
            """,
            table.values(of: key ?? []) + [.count(maximumCount)]
        )
        return try rows.map(table.read)
    }

    /// Looks rows up, in one round trip.
    package func rows(
        of table: StoreTable,
        keys: [StoreRow]
    ) async throws(AccountStoreError) -> [StoreRow] {
        let sql = """
            SELECT \(table.columnList) FROM \(table.name) WHERE (\(table.keyList)) = (\(table.keyMarks))
            """
        let answers = try await database.run(keys.map { Statement(sql, table.values(of: $0)) })
        var rows: [StoreRow] = []
        for answer in answers { rows += try answer.map(table.read) }
        return rows
    }

    /// What the database knows of the copy that it is.
    package func copyState() async throws(AccountStoreError) -> CopyState? {
        let answers = try await database.run([
            Statement("SELECT source, finished_at FROM store_copies"),
            Statement("SELECT name, position, digest FROM copied_tables"),
        ])
        guard let copy = answers[0].first else { return nil }
        let tables = try answers[1].map { row throws(AccountStoreError) in
            let table = CopyState.Table(position: try row.text(1), digest: try row.text(2))
            return (try row.text(0), table)
        }
        return CopyState(
            source: try copy.text(0),
            isFinished: try copy.optionalInteger(1) != nil,
            tables: Dictionary(tables) { first, _ in first }
        )
    }

    /// Writes down that the database becomes a copy.
    package func beginCopy(of source: String, now: Date) async throws(AccountStoreError) {
        try await database.run(
            "INSERT INTO store_copies (id, source, started_at) VALUES (1, $1, $2)",
            [.text(source), .integer(now.microseconds)]
        )
    }

    /// Adds rows, and writes down how far the copy is.
    ///
    /// Another copy that does the same at the same time fails by the keys of the rows.
    package func add(_ batch: CopyBatch) async throws(AccountStoreError) {
        let state = Statement(
            """
            INSERT INTO copied_tables (name, position, digest) VALUES ($1, $2, $3)
            ON CONFLICT (name) DO UPDATE SET
                position = excluded.position, digest = excluded.digest
            """,
            [
                .text(batch.table.name), .text(batch.state.position), .text(batch.state.digest),
            ]
        )
        try await database.run(batch.rows.map(batch.table.insertion) + [state])
    }

    /// Removes what was copied.
    package func discardCopy() async throws(AccountStoreError) {
        let tables = StoreTable.all.reversed().map(\.name) + ["copied_tables", "store_copies"]
        try await database.run(tables.map { .command("DELETE FROM \($0)") })
    }

    /// Lets servers open the database.
    ///
    /// Without statistics, the planner takes large tables for small ones and scans them. Empty tables are left out: with
    /// statistics that say so, they would be scanned once they have grown.
    package func finishCopy(now: Date) async throws(AccountStoreError) {
        let state = try await copyState()
        for table in StoreTable.all where state?.tables[table.name] != nil {
            // The copy is complete without them, and the database gathers them by itself later.
            _ = try? await database.run([.command("ANALYZE \(table.name)")])
        }
        try await database.run(
            "UPDATE store_copies SET finished_at = $1",
            [.integer(now.microseconds)]
        )
    }
}

extension StoreTable {
    /// The column by which accounts are found by their address, made of the address itself.
    static let derivedColumns = ["accounts": ["email_key"]]

    fileprivate var columnList: String { columns.map(\.name).joined(separator: ", ") }
    fileprivate var keyList: String { key.map(\.name).joined(separator: ", ") }
    fileprivate var keyMarks: String { Self.marks(key.count) }

    fileprivate static func marks(_ count: Int) -> String {
        (1...count).map { "$\($0)" }.joined(separator: ", ")
    }

    fileprivate func insertion(of row: StoreRow) -> Statement {
        let names = columns.map(\.name) + Self.derivedColumns[name, default: []]
        return Statement(
            """
            INSERT INTO \(name) (\(names.joined(separator: ", ")))
            VALUES (\(Self.marks(names.count)))
            """,
            values(of: row) + derivedValues(of: row)
        )
    }

    private func derivedValues(of row: StoreRow) -> [StatementValue] {
        guard Self.derivedColumns[name] != nil,
            let index = columns.firstIndex(where: { $0.name == "email" })
        else { return [] }
        guard case .text(let email) = row[index] else { return [.text(nil)] }
        return [.text(EmailAddress(text: email, isVerified: false, isPrivateRelay: false).key)]
    }

    /// The values of the first columns.
    fileprivate func values(of row: StoreRow) -> [StatementValue] {
        zip(columns, row).map { column, value in
            switch value {
            case .null: column.kind.nothing
            case .text(let text): .text(text)
            case .integer(let number): .integer(number)
            case .boolean(let isSo): .boolean(isSo)
            case .bytes(let bytes): .bytes(bytes)
            }
        }
    }

    fileprivate func read(_ row: Row) throws(AccountStoreError) -> StoreRow {
        var values: StoreRow = []
        for (index, column) in columns.enumerated() {
            values.append(try column.read(row, index))
        }
        return values
    }
}

extension StoreColumn {
    fileprivate func read(_ row: Row, _ index: Int) throws(AccountStoreError) -> StoreValue {
        switch kind {
        case .text: try row.optionalText(index).map { .text($0) } ?? .null
        case .integer: try row.optionalInteger(index).map { .integer($0) } ?? .null
        case .boolean: .boolean(try row.boolean(index))
        case .bytes: try row.optionalBytes(index).map { .bytes($0) } ?? .null
        }
    }
}

extension StoreColumn.Kind {
    /// NULL, of the column's type.
    fileprivate var nothing: StatementValue {
        switch self {
        case .text, .boolean: .text(nil)
        case .integer: .integer(nil)
        case .bytes: .bytes(nil)
        }
    }
}
