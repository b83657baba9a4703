import AccountStoreConformance
import Accounts
import AccountsSQLite
import AppleIdentity
import Foundation
import TestSupport
import Testing

@Suite("The SQLite store passes the store checks", TemporaryFolder.lending)
struct SQLiteConformanceTests {
    private let folder: URL
    init() throws { folder = try TemporaryFolder.lending.value }

    // By a clock that stands still the disk is never slow, whatever else this machine does.
    @Test("with its sessions in memory", arguments: AccountStoreConformance.checks)
    func conforms(_ check: AccountStoreConformance.Check) async throws {
        let store = try AccountStore(
            SQLiteDatabase(path: folder.databasePath, time: ManualTime().source)
        )
        try await check.run(store)
        try store.close()
    }

    @Test("with almost no sessions in memory", arguments: AccountStoreConformance.checks)
    func conformsWithoutCache(_ check: AccountStoreConformance.Check) async throws {
        let store = try AccountStore(
            SQLiteDatabase(
                path: folder.databasePath,
                busyTimeout: 2,
                maximumCachedSessionCount: 1,
                time: ManualTime().source
            )
        )
        try await check.run(store)
        try store.close()
    }
}
