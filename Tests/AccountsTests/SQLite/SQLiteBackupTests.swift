import AccountStoreConformance
import Accounts
import AppleIdentity
import Foundation
import GRDB
import ServerTestSupport
import TestSupport
import Testing

@testable import AccountsSQLite

@Suite("A backup of the SQLite file", StoreFile.lending) struct SQLiteBackupTests {
    private let (folder, store): (URL, AccountStore)
    init() throws { (folder, store) = try StoreFile.lent }

    @Test("contains all earlier commits, while others continue to sign in")
    func underLoad() async throws {
        let copy = folder.appending(path: "copy.sqlite").path
        try await addBallast()
        var before: [SampleSignIn] = []
        for _ in 0..<20 {
            before.append(SampleSignIn.somebody())
            try await store.signIn(before[before.count - 1])
        }
        try await store.checkWriting(as: ["k1=00"], now: SampleSignIn.start)
        let load = Load()
        let report = try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    while !load.isOver { try await store.signIn(.somebody()) }
                }
            }
            let report = try await store.backUp(
                BackupOrder(path: copy, replaces: false) { progress in
                    // Others write between any two steps.
                    try store.queue.write { database in
                        try database.execute(sql: "UPDATE server_keys SET recorded_at = 7")
                    }
                    #expect(progress.copiedPageCount <= progress.pageCount)
                }
            )
            load.end()
            try await group.waitForAll()
            return report
        }
        try store.close()
        #expect(report.accountCount >= before.count)
        let attributes = try FileManager.default.attributesOfItem(atPath: copy)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(attributes[.size] as? Int == report.byteCount)
        #expect(!FileManager.default.fileExists(atPath: copy + "-wal"))
        let restored = try AccountStore(SQLiteDatabase(path: copy))
        for sample in before {
            let found = try await restored.session(
                tokenHash: sample.token.hash,
                now: SampleSignIn.start
            )
            #expect(found != nil)
        }
        let recordedAt = try await restored.queue.read { database in
            try Int64.fetchOne(database, sql: "SELECT recorded_at FROM server_keys")
        }
        #expect(recordedAt == SampleSignIn.start.microseconds)
        try restored.close()
    }

    @Test("does not truncate the log, which would block writers")
    func log() async throws {
        let path = folder.appending(path: "other.sqlite").path
        let store = try AccountStore(SQLiteDatabase(path: path, busyTimeout: 0))
        let sample = SampleSignIn()
        let account = try await store.signIn(sample).signedIn.account
        try await store.sqlite.checkpointer.leavingLog {
            _ = try await store.deleteAccount(
                AccountStoreConformance.deletion(of: account.id, by: sample)
            )
            try await store.wipeTraces()
            let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
            #expect((attributes[.size] as? Int ?? 0) > 0)
        }
        try await store.wipeTraces()
        let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
        #expect(attributes[.size] as? Int == 0)
        try store.close()
    }

    @Test("has the log truncated while it is verified, and not while it is copied")
    func verification() async throws {
        let copy = folder.appending(path: "copy.sqlite").path
        let checkpointer = store.sqlite.checkpointer
        let reading = LockedValue<[Bool]>([])
        let order = BackupOrder(path: copy, replaces: false) { _ in
            reading.withLock { $0.append(checkpointer.isCopying) }
        }
        let backup = try SQLiteBackup(of: folder.databasePath, order, checkpointer)
        try await store.signIn(SampleSignIn())
        try await backup.copy()
        #expect(reading.withLock { !$0.isEmpty && $0.allSatisfy(\.self) })
        try await store.wipeTraces()
        let log = try FileManager.default.attributesOfItem(atPath: folder.databasePath + "-wal")
        #expect(log[.size] as? Int == 0)
        #expect(try await backup.check() == 1)
    }

    @Test("replaces an existing file only with the option")
    func existing() async throws {
        try await store.signIn(SampleSignIn())
        let copy = folder.appending(path: "copy.sqlite")
        try Data("mine".utf8).write(to: copy)
        let error = await #expect(throws: AccountStoreError.self) {
            try await store.backUp(BackupOrder(path: copy.path, replaces: false))
        }
        #expect(error?.hint.contains("exists already") == true)
        #expect(try Data(contentsOf: copy) == Data("mine".utf8))
        let report = try await store.backUp(BackupOrder(path: copy.path, replaces: true))
        #expect(report.accountCount == 1)
    }

    @Test("is refused where the file can't be created")
    func refused() async throws {
        let paths = ["copy.sqlite", folder.databasePath, folder.path + "/nowhere/copy.sqlite"]
        for path in paths {
            await #expect(throws: AccountStoreError.self) {
                try await store.backUp(BackupOrder(path: path, replaces: true))
            }
        }
        try await store.signIn(SampleSignIn())
    }

    @Test("never replaces the database itself, under any name, nor one of its other files")
    func ownName() async throws {
        let (base, name) = (folder.path, URL(filePath: folder.databasePath).lastPathComponent)
        let manager = FileManager.default
        try manager.createSymbolicLink(atPath: base + "/folder", withDestinationPath: base)
        try manager.createSymbolicLink(
            atPath: base + "/link.sqlite",
            withDestinationPath: folder.databasePath
        )
        try manager.linkItem(atPath: folder.databasePath, toPath: base + "/second.sqlite")
        try manager.linkItem(atPath: folder.databasePath, toPath: base + "/copy.partial")
        let other = try AccountStore(SQLiteDatabase(path: base + "/other.sqlite"))
        let names =
            [
                "folder/\(name)", "./\(name)", "/\(name)", "folder/../folder/\(name)",
                "link.sqlite", "second.sqlite", "copy", "other.sqlite", "folder/other.sqlite",
            ]
            + ["-wal", "-shm", "-journal", ".lock", ".socket"].map { name + $0 }
        for name in names {
            for replaces in [true, false] {
                await #expect(throws: AccountStoreError.self, "\(name)") {
                    try await store.backUp(BackupOrder(path: "\(base)/\(name)", replaces: replaces))
                }
            }
        }
        try other.close()
        try await store.signIn(SampleSignIn())
        try store.close()
        let reopened = try AccountStore(SQLiteDatabase(path: folder.databasePath))
        #expect(try await reopened.accounts(after: nil, maximumCount: 10).count == 1)
        try reopened.close()
    }

    @Test("that is stopped leaves nothing")
    func stopped() async throws {
        try await addBallast()
        let copy = folder.appending(path: "copy.sqlite").path
        await #expect(throws: AccountStoreError.self) {
            try await store.backUp(
                BackupOrder(path: copy, replaces: false) { _ in throw CancellationError() }
            )
        }
        for file in [copy, copy + ".partial"] {
            #expect(!FileManager.default.fileExists(atPath: file))
        }
    }

    @Test("that was killed is removed by the next one, even with its final name")
    func killed() async throws {
        try await store.signIn(SampleSignIn())
        try await addBallast()
        let copy = folder.appending(path: "copy.sqlite").path
        for name in [copy + ".partial", copy + ".partial-journal"] {
            try Data("half of a copy".utf8).write(to: URL(filePath: name))
        }
        var report = try await store.backUp(BackupOrder(path: copy, replaces: false))
        #expect(report.accountCount == 1)
        #expect(try files() == ["copy.sqlite"])
        // Killed between the two steps of giving it its name.
        let first = try Data(contentsOf: URL(filePath: copy))
        try FileManager.default.linkItem(atPath: copy, toPath: copy + ".partial")
        await #expect(throws: AccountStoreError.self) {
            try await store.backUp(
                BackupOrder(path: copy, replaces: true) { _ in throw CancellationError() }
            )
        }
        #expect(try Data(contentsOf: URL(filePath: copy)) == first)
        try await store.signIn(.somebody())
        report = try await store.backUp(BackupOrder(path: copy, replaces: true))
        #expect(report.accountCount == 2)
        #expect(try files() == ["copy.sqlite"])
    }

    @Test("is refused while another one writes the same file, which stays unchanged")
    func concurrent() async throws {
        try await store.signIn(SampleSignIn())
        try await addBallast()
        let copy = folder.appending(path: "copy.sqlite").path
        let (begun, beginning) = AsyncStream<Void>.makeStream()
        let gate = DispatchSemaphore(value: 0)
        let first = Task {
            try await store.backUp(
                BackupOrder(path: copy, replaces: false) { _ in
                    beginning.yield()
                    gate.wait()
                    gate.signal()
                }
            )
        }
        for await _ in begun { break }
        for replaces in [false, true] {
            let error = await #expect(throws: AccountStoreError.self) {
                try await store.backUp(BackupOrder(path: copy, replaces: replaces))
            }
            #expect(error?.hint.contains("another backup is being written") == true)
        }
        gate.signal()
        #expect(try await first.value.accountCount == 1)
        #expect(try files() == ["copy.sqlite"])
    }

    @Test("does not follow a symbolic link at its path")
    func link() async throws {
        let copy = folder.appending(path: "copy.sqlite").path
        let other = folder.appending(path: "other").path
        try Data("mine".utf8).write(to: URL(filePath: other))
        try FileManager.default.createSymbolicLink(
            atPath: copy + ".partial",
            withDestinationPath: other
        )
        let error = await #expect(throws: AccountStoreError.self) {
            try await store.backUp(BackupOrder(path: copy, replaces: true))
        }
        #expect(error?.hint.contains("which already exists") == true)
        #expect(try Data(contentsOf: URL(filePath: other)) == Data("mine".utf8))
    }

    /// Adds more pages than one step copies.
    private func addBallast() async throws {
        try await execute("CREATE TABLE ballast (content BLOB)", on: store)
        try await execute("INSERT INTO ballast VALUES (zeroblob(8000000))", on: store)
    }

    /// The files that copying has left.
    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix("copy") }.sorted()
    }
}
