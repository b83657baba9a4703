import AccountStoreConformance
import AppleIdentity
import Foundation
import GRDB
import ServerTestSupport
import TestSupport
import Testing

@testable import Accounts
@testable import AccountsSQLite

@Suite("The SQLite file", StoreFile.lending) struct SQLiteStoreTests {
    private let (folder, store): (URL, AccountStore)
    init() throws { (folder, store) = try StoreFile.lent }

    private let start = SampleSignIn.start

    @Test("finds a session with its account and identity by three keys, without an index")
    func plan() async throws {
        let plan = try await store.queue.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    EXPLAIN QUERY PLAN \(Selections.signedIn.sql)
                    WHERE sessions.token_hash = ?
                    """,
                arguments: [Data()]
            )
            .map { $0["detail"] as String }
        }
        #expect(plan.count == 3)
        #expect(plan.allSatisfy { $0.contains("USING PRIMARY KEY") })
    }

    @Test("finds an account that a text names by indices")
    func namingPlan() async throws {
        var query = Query()
        _ = query.namedAccounts("maya@example.com", maximumCount: 20)
        let sql = try #require(query.statements.first?.sql)
        let plan = try await store.queue.read { database in
            try Row.fetchAll(
                database,
                sql: "EXPLAIN QUERY PLAN " + sql,
                arguments: ["", "", "", 1]
            )
            .map { $0["detail"] as String }
        }
        // Of these, only the results of searches are read as a whole.
        let scans = Set(plan.filter { $0.contains("SCAN") })
        #expect(scans == ["SCAN issuers", "SCAN named"], "\(plan)")
    }

    @Test("is durable, has a write-ahead log and enforces foreign keys")
    func settings() async throws {
        let settings = try await store.queue.writeWithoutTransaction { database in
            try ["synchronous", "journal_mode", "foreign_keys", "secure_delete"].map { name in
                try String.fetchOne(database, sql: "PRAGMA \(name)")
            }
        }
        #expect(settings == ["2", "wal", "1", "1"])
    }

    @Test("is accessible only to its owner")
    func permissions() async throws {
        try await store.signIn(SampleSignIn())
        for suffix in ["", "-wal"] {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: folder.databasePath + suffix
            )
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("keeps everything over a restart")
    func restart() async throws {
        let sample = SampleSignIn()
        let gone = SampleSignIn(user: "000002.noah", refreshToken: "token")
        let signedIn = try await store.signIn(sample).signedIn
        let noah = try await store.signIn(gone).signedIn.account
        _ = try await store.deleteAccount(AccountStoreConformance.deletion(of: noah.id, by: gone))
        try store.close()

        let second = try AccountStore(SQLiteDatabase(path: folder.databasePath))
        #expect(try await second.session(tokenHash: sample.token.hash, now: start) == signedIn)
        let queued = try await second.claimEntries(AccountStoreConformance.claim(by: "worker"))
        #expect(queued.map(\.person) == [noah.apple?.person.hash])
        try second.close()
    }

    @Test("can't be opened without its folder, as a retryable failure")
    func unreachable() {
        let error = #expect(throws: AccountStoreError.self) {
            try AccountStore(SQLiteDatabase(path: "/nowhere/at/all/accounts.sqlite"))
        }
        #expect(error?.kind == .unavailable)
    }

    @Test("is refused when it is not a database, as a permanent failure")
    func notADatabase() async throws {
        let text = String(repeating: "This is a letter, not a database. ", count: 100)
        let letter = folder.appending(path: "letter.sqlite")
        try Data(text.utf8).write(to: letter)
        let error = #expect(throws: AccountStoreError.self) {
            try AccountStore(SQLiteDatabase(path: letter.path))
        }
        #expect(error?.kind == .failed)
    }

    @Test("caches eight megabytes of the file for each reading connection")
    func cacheSize() async throws {
        let sql = "PRAGMA cache_size"
        #expect(try await store.sqlite.reader.read { try Int.fetchOne($0, sql: sql) } == -8_192)
    }

    @Test("is unavailable while another process locks it, and reading continues")
    func locked() async throws {
        let path = folder.appending(path: "locked.sqlite").path
        let store = try AccountStore(SQLiteDatabase(path: path, busyTimeout: 0))
        let known = SampleSignIn()
        try await store.signIn(known)
        var unsafe = Configuration()
        unsafe.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: path, configuration: unsafe)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE") }

        await expectFailure(.unavailable) { try await store.signIn(SampleSignIn()) }
        #expect(try await store.session(tokenHash: known.token.hash, now: start) != nil)

        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try await store.signIn(SampleSignIn())
        try other.close()
        try store.close()
    }

    @Test(
        "keeps nothing of a sign-in when any of its writes fails",
        arguments: [
            "INSERT ON accounts", "INSERT ON apple_identities", "DELETE ON pending_names",
            "INSERT ON apple_refresh_tokens", "INSERT ON used_once", "DELETE ON sessions",
            "INSERT ON sessions",
        ]
    )
    func failingWrite(event: String) async throws {
        let old = SampleSignIn(user: "000002.noah")
        try await store.signIn(old)
        var sample = SampleSignIn(
            name: "Maya",
            email: .apple("m@example.com"),
            refreshToken: "token"
        )
        sample.previousToken = old.token
        sample.nonce = NonceUse(
            hash: SecretHash(of: "n"),
            rememberedUntil: start.addingTimeInterval(600)
        )
        _ = try await store.beginSignIn(sample.check)
        let commit = sample.commit
        try await expectNoChange(whileFailing: event, in: store) {
            try await store.completeSignIn(commit)
        }
        #expect(try await store.signIn(sample).signedIn.account.name == "Maya")
    }

    @Test("keeps the whole account when any write of its deletion fails")
    func failingDeletion() async throws {
        let sample = SampleSignIn(refreshToken: "token")
        let account = try await store.signIn(sample).signedIn.account
        for event in ["INSERT ON outbox", "DELETE ON sessions", "DELETE ON accounts"] {
            let deletion = AccountStoreConformance.deletion(of: account.id, by: sample)
            try await expectNoChange(whileFailing: event, in: store) {
                try await store.deleteAccount(deletion)
            }
        }
    }

    @Test("sets an unreadable outbox entry aside and continues with the others")
    func unreadableEntry() async throws {
        let maya = SampleSignIn(refreshToken: "of Maya")
        let noah = SampleSignIn(user: "000002.noah", refreshToken: "of Noah")
        for sample in [maya, noah] {
            let account = try await store.signIn(sample).signedIn.account
            _ = try await store.deleteAccount(
                AccountStoreConformance.deletion(of: account.id, by: sample)
            )
        }
        try await execute(
            "UPDATE outbox SET payload = '{}' WHERE payload LIKE '%of Maya%'",
            on: store
        )
        let due = try await store.claimEntries(AccountStoreConformance.claim(by: "worker"))
        #expect(due.compactMap(\.task.sealedToken) == ["of Noah"])
        let backlog = try await store.outboxBacklog()
        #expect(backlog.errorCounts == ["entry_unreadable": 1])
        #expect(try await store.signIn(SampleSignIn()).isNewAccount)
    }

    @Test("contains nothing of a deleted user, not even in free pages or the log")
    func erasure() async throws {
        let sample = SampleSignIn(
            user: "000777.uniquesubject",
            name: "Maya Uniquename",
            email: .apple("unique-address@example.com")
        )
        let account = try await store.signIn(sample).signedIn.account
        _ = try await store.rename(account.id, to: "Maya Othername")
        _ = try await store.deleteAccount(
            AccountStoreConformance.deletion(of: account.id, by: sample)
        )
        try await store.wipeTraces()
        let bytes = try folder.everything()
        for trace in ["uniquesubject", "Uniquename", "Othername", "unique-address"] {
            #expect(bytes.range(of: Data(trace.utf8)) == nil, "\(trace) is still there")
        }
    }
}
