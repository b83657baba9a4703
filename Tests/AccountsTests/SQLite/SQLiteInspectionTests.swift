import AccountStoreConformance
import Accounts
import Foundation
import GRDB
import TestSupport
import Testing

@testable import AccountsSQLite

@Suite("The inspection of a database file", TemporaryFolder.lending)
struct SQLiteInspectionTests {
    private let folder: URL
    init() throws { folder = try TemporaryFolder.lending.value }

    @Test("reports a file that no process has open, and leaves no other files")
    func closed() async throws {
        let store = try AccountStore(SQLiteDatabase(path: folder.databasePath))
        try await store.signIn(SampleSignIn())
        try store.close()
        let before = try names()
        let facts = await SQLiteFacts(inspecting: folder.databasePath)
        #expect(facts.content == .success(good))
        #expect(facts.hasWriteAheadLog)
        #expect(facts.fileMode == 0o600)
        #expect(facts.isWritable)
        #expect(facts.holder == nil)
        #expect((facts.freeByteCount ?? 0) > 0)
        #expect(facts.leftovers.isEmpty)
        #expect(try names() == before)
    }

    @Test("reports an open file and its process")
    func open() async throws {
        let store = try AccountStore(SQLiteDatabase(path: folder.databasePath))
        let facts = await SQLiteFacts(inspecting: folder.databasePath)
        #expect(facts.content == .success(good))
        let holder = try #require(facts.holder)
        #if os(Linux)
            #expect(holder.contains("\(ProcessInfo.processInfo.processIdentifier)"))
        #endif
        try store.close()
    }

    @Test("reports errors of the file")
    func broken() async throws {
        let path = folder.databasePath
        let facts = await SQLiteFacts(inspecting: path)
        #expect(facts.content == nil)
        try Data("no database, but long enough to be looked at as one".utf8)
            .write(to: URL(filePath: path))
        guard case .failure(let error) = await SQLiteFacts(inspecting: path).content else {
            Issue.record("a text was read as a database")
            return
        }
        #expect(error.hint.contains("not a database"))
        try FileManager.default.removeItem(atPath: path)

        let store = try AccountStore(SQLiteDatabase(path: path, isForCopying: true))
        try await store.beginCopy(of: "another", now: SampleSignIn.start)
        try await execute("INSERT INTO used_once VALUES (x'01', 1)", on: store)
        #expect(try await content(path).isUnfinishedCopy)
        try await execute("INSERT INTO grdb_migrations VALUES ('later')", on: store)
        #expect(try await content(path).schema == .newer)
        try await execute("DELETE FROM grdb_migrations", on: store)
        #expect(try await content(path).schema == .older)
        try store.close()
    }

    @Test("reports damage")
    func damaged() async throws {
        let path = folder.databasePath
        let store = try AccountStore(SQLiteDatabase(path: path, isForCopying: true))
        var random = RandomRows(seed: 4)
        try await random.fill(store, count: 100)
        try store.close()
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: size / 2)
        try handle.write(contentsOf: Data(repeating: 0xFF, count: 8_192))
        try handle.close()
        let result = await SQLiteFacts(inspecting: path).content
        let check = try? result?.get().quickCheck
        #expect(check != "ok")
    }

    @Test("reports leftover copies")
    func leftovers() async throws {
        for name in ["accounts.sqlite.before-7", "backup.partial", "other"] {
            try Data().write(to: folder.appending(path: name))
        }
        let facts = await SQLiteFacts(inspecting: folder.databasePath)
        #expect(
            facts.leftovers
                == ["accounts.sqlite.before-7", "backup.partial"]
        )
    }

    private let good = SQLiteFacts.Content(
        quickCheck: "ok",
        schema: .current,
        isUnfinishedCopy: false
    )

    private func content(_ path: String) async throws -> SQLiteFacts.Content {
        let facts = await SQLiteFacts(inspecting: path)
        return try #require(facts.content).get()
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }
}
