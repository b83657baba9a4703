import AccountStoreConformance
import Accounts
import AppleIdentity
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AccountsPostgreSQL

@Suite("Reads by a key that are carried out together", .timeLimit(.minutes(2)))
struct KeyedReadsTests {
    /// Gives an even number twice itself, and an odd one nothing.
    private static let doubling = """
        SELECT wanted.position, get_byte(wanted.key, 0)::bigint * 2
        FROM unnest($1::bytea[]) WITH ORDINALITY AS wanted(key, position)
        WHERE get_byte(wanted.key, 0) % 2 = 0 ORDER BY wanted.position DESC
        """

    @Test("get each its own row, in whatever order the rows come, and none where there is none")
    func own() async throws {
        try await TestCluster.withBusyStore { store, connection, _ in
            let reads = KeyedReads(Self.doubling, pool: store.pool)
            let tasks = try await Self.ask(reads, for: [2, 3, 4, 4, 0, 7, 100, 2, 9], store)
            await store.pool.giveBack(connection)
            var answers: [Int64?] = []
            for task in tasks { answers.append(try await task.value) }
            #expect(answers == [4, nil, 8, 8, 0, nil, 200, 4, nil])
        }
    }

    @Test(
        "fail together when the statement is refused or answers what was not asked",
        arguments: [
            ("1::bigint / 0", "22012"), ("4::bigint", "belongs to nobody who asked"),
            ("0::bigint", "belongs to nobody who asked"), ("1::bigint", "a key has two rows"),
            ("'one'", "not of the type"),
        ]
    )
    func refused(_ column: String, _ hint: String) async throws {
        try await TestCluster.withBusyStore { store, connection, _ in
            let sql = "SELECT \(column), 0::bigint FROM unnest($1::bytea[])"
            let reads = KeyedReads(sql, pool: store.pool)
            let tasks = try await Self.ask(reads, for: [1, 2, 3, 4, 5], store)
            await store.pool.giveBack(connection)
            // The first two have statements of their own; the others share one.
            for task in tasks.dropFirst(ReadQueue.maximumActiveCount) {
                let error = await #expect(throws: AccountStoreError.self) { try await task.value }
                #expect(error?.kind == .failed)
                #expect(error?.hint.contains(hint) == true, "\(error?.hint ?? "")")
            }
            for task in tasks { _ = await task.result }
            // The connection is as good as before.
            let next = KeyedReads(Self.doubling, pool: store.pool)
            let double = try await next.row(of: Data([8]))?.integer(1)
            #expect(double == 16)
        }
    }

    @Test("are refused when too many wait already, and those that wait are answered")
    func limited() async throws {
        try await TestCluster.withBusyStore { store, connection, _ in
            let reads = KeyedReads(Self.doubling, pool: store.pool, maximumWaitingCount: 10)
            let takenCount = ReadQueue.maximumActiveCount * ReadQueue.maximumKeyCount
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
            try await waitUntil { !refused.withLock(\.isEmpty) }
            await store.pool.giveBack(connection)
            let answeredCount = try await answers.reduce(0, +)
            let errors = refused.withLock { $0 }
            #expect(answeredCount == count - errors.count)
            #expect(errors.allSatisfy { $0.kind == .unavailable })
            #expect(errors.allSatisfy { $0.hint == "PostgreSQL: too many reads wait" })
        }
    }

    @Test("wait for a statement no longer than they may, whatever the clock is set to meanwhile")
    func late() async throws {
        try await TestCluster.withBusyStore { store, connection, time in
            let reads = KeyedReads(Self.doubling, pool: store.pool, maximumWait: .seconds(2))
            var tasks = try await Self.ask(reads, for: [2, 4, 6], store)
            time.advance(bySeconds: 1)
            tasks.append(Task { try await reads.row(of: Data([8]))?.integer(1) })
            try await waitUntil { reads.waitingCount >= 2 }
            time.correct(now: time.now.addingTimeInterval(-3_600))
            time.advance(bySeconds: 1)
            let error = await #expect(throws: AccountStoreError.self) { try await tasks[2].value }
            #expect(error?.kind == .unavailable)
            #expect(error?.hint == "PostgreSQL: all statements that read are under way")
            #expect(reads.waitingCount == 1)
            await store.pool.giveBack(connection)
            for (index, double) in [(0, 4), (1, 8), (3, 16)] as [(Int, Int64)] {
                let answer = try await tasks[index].value
                #expect(answer == double)
            }
        }
    }

    @Test("are not begun any more when they have waited for too long")
    func lateAtTurn() async throws {
        try await TestCluster.withBusyStore { store, connection, time in
            let reads = KeyedReads(Self.doubling, pool: store.pool)
            let tasks = try await Self.ask(reads, for: [2, 4, 6], store)
            // Those that wait for a connection are given up at the same moment, which makes room.
            time.advance(bySeconds: 3)
            for task in tasks {
                let error = await #expect(throws: AccountStoreError.self) { try await task.value }
                #expect(error?.kind == .unavailable)
            }
            await store.pool.giveBack(connection)
            let double = try await reads.row(of: Data([8]))?.integer(1)
            #expect(double == 16)
        }
    }

    @Test("tell readers that wait in no task of the end once all of a statement have their rows")
    func together() async throws {
        try await TestCluster.withBusyStore { store, connection, _ in
            let reads = KeyedReads(Self.doubling, pool: store.pool)
            // Each takes a statement of its own.
            let tasks = try await Self.ask(reads, for: [2, 4], store)
            let journal = ReadJournal()
            for number: UInt8 in [6, 7, 8] {
                reads.read(Data([number]), for: JournalReader(number: number, journal: journal))
            }
            #expect(reads.waitingCount == 3)
            #expect(journal.lines.isEmpty)
            await store.pool.giveBack(connection)
            for task in tasks { _ = try await task.value }
            try await waitUntil { journal.lines.count >= 6 }
            #expect(journal.lines == ["6: 12", "7: nil", "8: 16", "6 end", "7 end", "8 end"])
        }
    }

    @Test("wait no longer than they may for a statement that has more keys")
    func held() async throws {
        try await TestCluster.withBusyStore { store, connection, time in
            let reads = KeyedReads(Self.doubling, pool: store.pool)
            let journal = ReadJournal()
            let ask = { @Sendable (number: UInt8) in
                reads.read(Data([number]), for: JournalReader(number: number, journal: journal))
            }
            // On the loop, so that one statement takes all of them.
            SocketLoop.shared.perform { for number: UInt8 in [2, 4, 6] { ask(number) } }
            try await waitUntil { store.pool.waiterCount >= 1 && reads.waitingCount == 0 }
            let deadlineCount = store.pool.time.deadlines.count
            ask(8)
            try #require(store.pool.time.deadlines.count == deadlineCount + 1)
            #expect(reads.waitingCount == 1)
            time.advance(bySeconds: 0.02)
            try await waitUntil { store.pool.waiterCount >= 2 }
            #expect(reads.waitingCount == 0)
            await store.pool.giveBack(connection)
            try await waitUntil { journal.lines.count >= 8 }
            let answers = Set(journal.lines).subtracting(["2 end", "4 end", "6 end", "8 end"])
            #expect(answers == ["2: 4", "4: 8", "6: 12", "8: 16"])
        }
    }

    @Test("tell readers that wait in no task at once when too many wait")
    func refusedAtOnce() async throws {
        try await TestCluster.withBusyStore { store, _, _ in
            let reads = KeyedReads(Self.doubling, pool: store.pool, maximumWaitingCount: 0)
            let journal = ReadJournal()
            reads.read(Data([6]), for: JournalReader(number: 6, journal: journal))
            #expect(journal.lines == ["6: PostgreSQL: too many reads wait", "6 end"])
        }
    }

    /// Asks one after the other, because a statement takes all that came before it.
    private static func ask(
        _ reads: KeyedReads,
        for numbers: [UInt8],
        _ store: PostgreSQLAccountStore
    ) async throws -> [Task<Int64?, any Error>] {
        var tasks: [Task<Int64?, any Error>] = []
        for (index, number) in numbers.enumerated() {
            tasks.append(Task { try await reads.row(of: Data([number]))?.integer(1) })
            let activeCount = min(index + 1, ReadQueue.maximumActiveCount)
            try await waitUntil { store.pool.waiterCount >= activeCount }
            try await waitUntil { reads.waitingCount >= index + 1 - activeCount }
        }
        return tasks
    }
}

/// What readers were told, in order.
private final class ReadJournal: Sendable {
    private let written = Mutex<[String]>([])

    var lines: [String] { written.withLock { $0 } }

    func write(_ line: String) { written.withLock { $0.append(line) } }
}

private struct JournalReader: KeyedReader {
    let number: UInt8
    let journal: ReadJournal

    func take(_ answer: Result<Row?, AccountStoreError>) {
        do throws(AccountStoreError) {
            let double = try answer.get()?.integer(1)
            journal.write("\(number): \(double.map { "\($0)" } ?? "nil")")
        } catch {
            journal.write("\(number): \(error.hint)")
        }
    }

    func answersEnd() { journal.write("\(number) end") }
}
