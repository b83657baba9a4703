import Accounts
import AccountsSQLite
import Testing

@Suite("The SQLite store is a store")
struct SQLiteConformanceTests {
    @Test(arguments: StoreConformance.checks)
    func conforms(_ check: StoreConformance.Check) async throws {
        try await TemporaryFolder.with { folder in
            let store = try SQLiteAccountStore(path: folder.databasePath)
            try await check.run(store)
            try store.close()
        }
    }
}
