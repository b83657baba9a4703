import AccountStoreConformance
import Accounts
import Testing

@testable import AccountsPostgreSQL

@Suite("The PostgreSQL store is a store")
struct PostgreSQLConformanceTests {
    @Test("with prepared statements", arguments: AccountStoreConformance.checks)
    func conforms(_ check: AccountStoreConformance.Check) async throws {
        try await TestCluster.withStore { try await check.run($0) }
    }

    @Test(
        "behind a proxy that follows no prepared statements, on two connections",
        arguments: AccountStoreConformance.checks
    )
    func conformsUnprepared(_ check: AccountStoreConformance.Check) async throws {
        try await TestCluster.withStore("&prepared_statements=off&pool_size=2") { store in
            try await check.run(store)
        }
    }
}
