import AccountsSQLite
import GRDB

func execute(_ sql: String, on store: SQLiteAccountStore) async throws {
    try await store.queue.writeWithoutTransaction { try $0.execute(sql: sql) }
}

/// Every row of every table, as text.
func contents(of store: SQLiteAccountStore) async throws -> [String] {
    try await store.queue.read { database in
        let tables = try String.fetchAll(
            database,
            sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        )
        return try tables.flatMap { table in
            try Row.fetchAll(database, sql: "SELECT * FROM \(table)")
                .map { "\(table): \($0.debugDescription)" }
        }
    }
}
