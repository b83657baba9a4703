import AccountStoreConformance
import Accounts
import AppleIdentity
import Synchronization
import Testing

@testable import AccountsPostgreSQL

@Suite("Short reads that are sent together")
struct ReadBatchesTests {
    @Test("get each its own answer, also when one among them is refused")
    func refused() async throws {
        try await withBusyStore { store, connection in
            let divisors: [Int64] = [1, 2, 5, 0, 10, 0, 20]
            async let quotients = AccountStoreConformance.atOnce(divisors.count) { index in
                (index, await Self.quotient(of: 100, by: divisors[index], store))
            }
            let waitingCount = divisors.count - ReadBatches.maximumActiveCount
            while store.database.batches.waitingCount < waitingCount { await Task.yield() }
            await store.pool.giveBack(connection)
            let answers = try await quotients.sorted { $0.0 < $1.0 }.map(\.1)
            #expect(answers == [100, 50, 20, nil, 10, nil, 5])
            // The connection is as good as before.
            let next = await Self.quotient(of: 8, by: 2, store)
            #expect(next == 4)
        }
    }

    @Test("are refused when too many wait already, and those that wait are answered")
    func limited() async throws {
        try await withBusyStore { store, connection in
            let batches = ReadBatches(pool: store.pool, maximumWaitingCount: 10)
            let takenCount = ReadBatches.maximumActiveCount * ReadBatches.maximumBatchCount
            let count = 10 + takenCount + 1
            let refused = Mutex<[AccountStoreError]>([])
            async let answers = AccountStoreConformance.atOnce(count) { _ in
                do throws(AccountStoreError) {
                    return try await batches.rows(Statement("SELECT 1", [])).count
                } catch {
                    refused.withLock { $0.append(error) }
                    return 0
                }
            }
            while refused.withLock(\.isEmpty) { await Task.yield() }
            await store.pool.giveBack(connection)
            let answeredCount = try await answers.reduce(0, +)
            let errors = refused.withLock { $0 }
            #expect(answeredCount == count - errors.count)
            #expect(errors.allSatisfy { $0.kind == .unavailable })
            #expect(errors.allSatisfy { $0.hint == "PostgreSQL: too many reads wait" })
        }
    }

    /// A store whose only connection somebody else has.
    private func withBusyStore(
        _ body: (PostgreSQLAccountStore, PostgreSQLConnection) async throws -> Void
    ) async throws {
        // No call that waits is given up, because the time stands still.
        let time = ManualTime()
        try await TestCluster.withStore("&pool_size=1", time: time.source) { store in
            try await body(store, try await store.pool.lend())
        }
    }

    private static func quotient(
        of dividend: Int64,
        by divisor: Int64,
        _ store: PostgreSQLAccountStore
    ) async -> Int64? {
        let statement = Statement("SELECT $1 / $2", [.integer(dividend), .integer(divisor)])
        return try? await store.database.batches.rows(statement).first?.integer(0)
    }
}
