import AccountStoreConformance
import Accounts
import AccountsSQLite
import AppleIdentity
import Testing

@Suite("The SQLite store is a store")
struct SQLiteConformanceTests {
    // By a clock that stands still the disk is never slow, whatever else this machine does.
    @Test("with its sessions in memory", arguments: AccountStoreConformance.checks)
    func conforms(_ check: AccountStoreConformance.Check) async throws {
        try await TemporaryFolder.with { folder in
            let store = try SQLiteAccountStore(path: folder.databasePath, time: ManualTime().source)
            try await check.run(store)
            try store.close()
        }
    }

    @Test("with next to none of them in memory", arguments: AccountStoreConformance.checks)
    func conformsWithoutCache(_ check: AccountStoreConformance.Check) async throws {
        try await TemporaryFolder.with { folder in
            let store = try SQLiteAccountStore(
                path: folder.databasePath,
                busyTimeout: 2,
                maximumCachedSessionCount: 1,
                time: ManualTime().source
            )
            try await check.run(store)
            try store.close()
        }
    }
}
