import AccountStoreConformance
import Accounts
import AppleIdentity
import Foundation
import Synchronization
import Testing

@testable import AccountsPostgreSQL

@Suite("Reads by a key that are carried out together")
struct KeyedReadsTests {
    /// Gives an even number twice itself, and an odd one nothing.
    private static let doubling = """
        SELECT wanted.position, get_byte(wanted.key, 0)::bigint * 2
        FROM unnest($1::bytea[]) WITH ORDINALITY AS wanted(key, position)
        WHERE get_byte(wanted.key, 0) % 2 = 0 ORDER BY wanted.position DESC
        """

    @Test("get each its own row, in whatever order the rows come, and none where there is none")
    func own() async throws {
        try await withBusyStore { store, connection in
            let reads = KeyedReads(Self.doubling, pool: store.pool)
            let numbers: [UInt8] = [2, 3, 4, 4, 0, 7, 100, 2, 9]
            // One after the other, because a statement takes all that came before it.
            var tasks: [Task<Int64?, any Error>] = []
            for (index, number) in numbers.enumerated() {
                tasks.append(Task { try await reads.row(of: Data([number]))?.integer(1) })
                let activeCount = min(index + 1, KeyedReads.maximumActiveCount)
                while store.pool.waiterCount < activeCount { await Task.yield() }
                while reads.waitingCount < index + 1 - activeCount { await Task.yield() }
            }
            await store.pool.giveBack(connection)
            var answers: [Int64?] = []
            for task in tasks { answers.append(try await task.value) }
            #expect(answers == [4, nil, 8, 8, 0, nil, 200, 4, nil])
        }
    }

    @Test(
        "fail together when the statement is refused or answers what was not asked",
        arguments: [
            "SELECT 1::bigint / 0 FROM unnest($1::bytea[])",
            "SELECT 3::bigint FROM unnest($1::bytea[])",
            "SELECT 0::bigint FROM unnest($1::bytea[])",
            "SELECT 'one' FROM unnest($1::bytea[])",
        ]
    )
    func refused(_ sql: String) async throws {
        try await TestCluster.withStore { store in
            let reads = KeyedReads(sql, pool: store.pool)
            let error = await Self.error(of: reads)
            #expect(error?.kind == .failed)
            // The connection is as good as before.
            let next = KeyedReads(Self.doubling, pool: store.pool)
            let double = try await next.row(of: Data([8]))?.integer(1)
            #expect(double == 16)
        }
    }

    @Test("are refused when too many wait already, and those that wait are answered")
    func limited() async throws {
        try await withBusyStore { store, connection in
            let reads = KeyedReads(Self.doubling, pool: store.pool, maximumWaitingCount: 10)
            let takenCount = KeyedReads.maximumActiveCount * KeyedReads.maximumKeyCount
            let count = 10 + takenCount + 1
            let refused = Mutex<[AccountStoreError]>([])
            async let answers = AccountStoreConformance.atOnce(count) { _ in
                do throws(AccountStoreError) {
                    return try await reads.row(of: Data([2])) == nil ? 0 : 1
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

    private static func error(of reads: KeyedReads) async -> AccountStoreError? {
        do throws(AccountStoreError) {
            _ = try await reads.row(of: Data([1]))
            return nil
        } catch {
            return error
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
}
