import AccountStoreConformance
import Accounts
import AppleIdentity
import Foundation
import GRDB
import ServerTestSupport
import TestSupport
import Testing

@testable import AccountsSQLite

@Suite(
    "The log of the SQLite file",
    .serialized,
    .timeLimit(.minutes(5)),
    TemporaryFolder.lending
)
struct SQLiteLogTests {
    private let folder: URL
    init() throws { folder = try TemporaryFolder.lending.value }

    private static let maximumLogByteCount = 4 * 1024 * 1024
    /// So many people sign in all the time, one after the other each.
    private static let personCount = 8
    /// The log is written back every so many writes; in twice as many commits it has to be cut.
    private static let maximumCommitCount = 2 * SQLiteCheckpointer.writeCount

    @Test("is truncated under constant load without a failed write, once a blocking reader ends")
    func reader() async throws {
        try await underLoad { store, path, signIn in
            let reader = try await Self.beginReading(path)
            // Several rounds of writing back, none of which gets past the reader.
            while Self.logByteCount(path) <= 4 * Self.maximumLogByteCount { try await signIn() }
            try await Self.endReading(reader)
            #expect(try await isCut(store, path, signIn))
        }
    }

    @Test("is truncated regularly under constant load")
    func alone() async throws {
        try await underLoad { store, path, signIn in
            for _ in 0..<2 {
                while Self.logByteCount(path) <= Self.maximumLogByteCount { try await signIn() }
                #expect(try await isCut(store, path, signIn))
            }
        }
    }

    @Test("is restarted under constant load, before it is long enough to be truncated")
    func reused() async throws {
        // Five pages a sign-in come to twice the length at which the file is cut.
        let maximum = SQLiteCheckpointer.maximumLogByteCount
        // The load ends early and the rest waits for the write-back: a busy machine may delay it.
        try await underLoad(maximumLogByteCount: maximum, upTo: maximum / 4) {
            store,
            path,
            signIn in
            var (length, hasShrunk) = (0, false)
            let end = store.sqlite.writer.counts.offers + 2 * maximum / (5 * 4096)
            while store.sqlite.writer.counts.offers < end {
                try await waitUntil { !store.sqlite.checkpointer.isWritingBack }
                try await signIn()
                let now = Self.logByteCount(path)
                if now < length { hasShrunk = true }
                length = now
            }
            #expect(!hasShrunk)
            #expect(length > 0 && length < maximum)
        }
    }

    @Test("is restarted soon after a blocking reader ends")
    func reuseTriedAgain() async throws {
        let path = folder.databasePath
        let (writer, queue) = (try DatabaseQueue(path: path), try DatabaseQueue(path: path))
        let checkpointer = SQLiteCheckpointer(
            queue: queue,
            writer: writer,
            path: path,
            maximumLogByteCount: Self.maximumLogByteCount
        )
        let usedByteCount = Self.maximumLogByteCount / 2
        try await writer.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
                    CREATE TABLE accounts (x); INSERT INTO accounts VALUES (zeroblob(\(usedByteCount)))
                    """
            )
        }
        // A connection knows of the log once it has read.
        #expect(try await queue.read { try $0.tableExists("accounts") })
        /// How many pages the log has after a write that follows so many others.
        func pageCount(afterWrites count: Int) async throws -> Int {
            // A commit that does not name its writes counts as 200.
            for _ in 0..<count / 200 { checkpointer.committed([]) }
            try await waitUntil { !checkpointer.isWritingBack }
            return try await writer.writeWithoutTransaction { database in
                checkpointer.endLogIfDue(database)
                try database.execute(sql: "INSERT INTO accounts VALUES (1)")
                return try database.checkpoint(.passive).walFrameCount
            }
        }
        let reader = try await Self.beginReading(path)
        let whileRead = try await pageCount(afterWrites: SQLiteCheckpointer.writeCount)
        #expect(whileRead > usedByteCount / 4096)
        try await Self.endReading(reader)
        let afterwards = try await pageCount(afterWrites: SQLiteCheckpointer.retryWriteCount)
        #expect(afterwards < usedByteCount / 4096)
        try checkpointer.close()
    }

    @Test("is wiped under constant load after a deletion")
    func wiped() async throws {
        try await underLoad { store, path, signIn in
            for _ in 0..<5 {
                var maya = SampleSignIn.somebody()
                maya.name = "Uniquename"
                let account = try await store.signIn(maya).signedIn.account
                _ = try await store.deleteAccount(
                    AccountStoreConformance.deletion(of: account.id, by: maya)
                )
                try await store.wipeTraces()
                let log = try Data(contentsOf: URL(filePath: path + "-wal"))
                #expect(log.range(of: Data("Uniquename".utf8)) == nil)
            }
        }
    }

    /// Signs in until the log is short.
    private func isCut(
        _ store: AccountStore,
        _ path: String,
        _ signIn: () async throws -> Void
    ) async throws -> Bool {
        let before = store.sqlite.writer.counts.commits
        while Self.logByteCount(path) > Self.maximumLogByteCount {
            guard store.sqlite.writer.counts.commits < before + Self.maximumCommitCount else {
                return false
            }
            try await signIn()
        }
        return true
    }

    /// Runs a body while people sign in without a pause, until the log is longer than so many bytes.
    private func underLoad(
        maximumLogByteCount: Int = Self.maximumLogByteCount,
        upTo longestLog: Int = .max,
        _ body: (AccountStore, String, () async throws -> Void) async throws -> Void
    ) async throws {
        let store = try AccountStore(
            SQLiteDatabase(
                path: folder.databasePath,
                busyTimeout: SQLiteDatabase.busyTimeout,
                maximumLogByteCount: maximumLogByteCount
            )
        )
        let load = Load()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.personCount {
                group.addTask {
                    while !load.isOver, Self.logByteCount(folder.databasePath) <= longestLog {
                        try await store.signIn(.somebody())
                    }
                }
            }
            defer { load.end() }
            try await body(store, folder.databasePath) { try await store.signIn(.somebody()) }
            load.end()
            try await group.waitForAll()
        }
        try store.close()
    }

    /// Keeps the log as it is from here on.
    private static func beginReading(_ path: String) async throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: path, configuration: configuration)
        try await reader.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN; SELECT count(*) FROM accounts")
        }
        return reader
    }

    private static func endReading(_ reader: DatabaseQueue) async throws {
        try await reader.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        try reader.close()
    }

    private static func logByteCount(_ path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
        return attributes?[.size] as? Int ?? 0
    }
}
