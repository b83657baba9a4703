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
        "with nothing prepared, as a proxy needs it that follows no prepared statements",
        arguments: AccountStoreConformance.checks
    )
    func conformsUnprepared(_ check: AccountStoreConformance.Check) async throws {
        try await TestCluster.withStore("&prepared_statements=off&pool_size=2") { store in
            try await check.run(store)
            // What was prepared would be there still, on the one connection or on the other.
            let connections = [
                try await store.postgreSQL.pool.lend(), try await store.postgreSQL.pool.lend(),
            ]
            for connection in connections {
                let count = Statement.command("SELECT count(*) FROM pg_prepared_statements")
                let rows = try await connection.exchange([count]).get()[0]
                #expect(try rows.first?.count(0) == 0)
                await store.postgreSQL.pool.giveBack(connection)
            }
        }
    }
}
