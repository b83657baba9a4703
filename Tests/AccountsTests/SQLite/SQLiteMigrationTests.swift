import AccountStoreConformance
import Accounts
import AppleIdentity
import Foundation
import GRDB
import SignInWithApple
import Testing

@testable import AccountsSQLite

@Suite("An SQLite file of another version")
struct SQLiteMigrationTests {
    private let start = SampleSignIn.start

    @Test("loses nothing on its way to whole microseconds and one outbox")
    func wholeMicroseconds() async throws {
        try await TemporaryFolder.with { folder in
            let sealer = try TokenSealer(keys: TokenSealer.makeKey(identifier: "k1"))
            let session = SessionToken()
            try writeOldFile(folder.databasePath, sealer, session)
            let store = try SQLiteAccountStore(path: folder.databasePath)

            let found = try await store.session(tokenHash: session.hash, now: start)
            let account = try #require(found).account
            #expect(account.name == "Maya")
            #expect(account.email?.text == "maya@example.com")
            #expect(!account.isMailForwarded)
            #expect(account.mailForwardingChangedAt == start.addingTimeInterval(0.25))
            #expect(account.apple?.consentedAt == start)
            #expect(account.createdAt == start.addingTimeInterval(0.123_456))

            var again = SampleSignIn(identityToken: "used")
            #expect(try await store.beginSignIn(again.attempt) == .tokenReplayed)
            again = SampleSignIn()
            again.nonce = NonceUse(hash: SecretHash(of: "used nonce"), rememberedUntil: start)
            #expect(try await store.beginSignIn(again.attempt) == .nonceUsed)
            var noah = SampleSignIn()
            noah.user = "000002.noah"
            #expect(try await store.signIn(noah).signedIn.account.name == "Noah")

            // What was sealed for its account opens as what is sealed for its own name.
            let entries = try await store.claimEntries(
                AccountStoreConformance.claim(by: "worker", maximumCount: 10)
            )
            #expect(try opened(entries, sealer) == ["of somebody gone"])
            var maya = SampleSignIn()
            maya.now = start.addingTimeInterval(1)
            try await store.signIn(maya)
            let outcome = try await store.deleteAccount(
                AccountStoreConformance.deletion(of: account.id, by: maya)
            )
            #expect(outcome == .deleted(revocationCount: 1))
            let more = try await store.claimEntries(
                AccountStoreConformance.claim(by: "worker", maximumCount: 10, at: maya.now)
            )
            #expect(try opened(more, sealer) == ["of Maya"])
            try store.close()
        }
    }

    @Test("is copied before its tables change, for its owner alone")
    func backup() async throws {
        try await TemporaryFolder.with { folder in
            let sealer = try TokenSealer(keys: TokenSealer.makeKey(identifier: "k1"))
            try writeOldFile(folder.databasePath, sealer, SessionToken())
            try SQLiteAccountStore(path: folder.databasePath).close()
            let copyPath = folder.databasePath + ".before-4"
            let permissions = try FileManager.default.attributesOfItem(atPath: copyPath)
            #expect(permissions[.posixPermissions] as? Int == 0o600)
            let copy = try DatabaseQueue(path: copyPath)
            let names = try await copy.read {
                try String.fetchAll($0, sql: "SELECT name FROM accounts")
            }
            #expect(names == ["Maya"])
            let isOld = try await copy.read { try $0.tableExists("revocations") }
            #expect(isOld)
            try copy.close()
            // Nothing changes at the next start: nothing is copied.
            try FileManager.default.removeItem(atPath: copyPath)
            try SQLiteAccountStore(path: folder.databasePath).close()
            #expect(!FileManager.default.fileExists(atPath: copyPath))
        }
    }

    @Test("is kept as a copy for thirty days, and no other file is removed with it")
    func oldCopies() async throws {
        try await TemporaryFolder.with { folder in
            let sealer = try TokenSealer(keys: TokenSealer.makeKey(identifier: "k1"))
            try writeOldFile(folder.databasePath, sealer, SessionToken())
            let log = RecordedLog()
            // Files have the system's time.
            let time = ManualTime(now: TimeSource.live.now)
            func open() throws {
                try SQLiteAccountStore(
                    path: folder.databasePath,
                    busyTimeout: 0,
                    time: time.source,
                    logger: log.logger
                ).close()
            }
            try open()
            let copy = folder.databasePath + ".before-4"
            for other in [".before-4-wal", ".before-", ".before-4.mine", ".before-mine"] {
                try Data().write(to: URL(filePath: folder.databasePath + other))
            }
            time.advance(bySeconds: SQLiteAccountStore.earlierCopyMemory - 60)
            try open()
            #expect(FileManager.default.fileExists(atPath: copy))
            #expect(log.text.isEmpty)
            time.advance(bySeconds: 120)
            try open()
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            #expect(
                names.filter { $0.contains(".before-") }.sorted() == [
                    "accounts.sqlite.before-", "accounts.sqlite.before-4.mine",
                    "accounts.sqlite.before-mine",
                ]
            )
            #expect(log.text.contains("notice removed a copy"))
            #expect(log.text.contains("accounts.sqlite.before-4"))
            #expect(names.contains("accounts.sqlite"))
        }
    }

    @Test("keeps who is on the way to another team when identities move to their accounts")
    func identitiesByAccount() async throws {
        try await TemporaryFolder.with { folder in
            let old = try DatabaseQueue(path: folder.databasePath)
            try AccountsSchema.migrator.migrate(old, upTo: "an audit log")
            try await old.write { database in
                try database.execute(
                    sql: """
                        INSERT INTO accounts (id, email_is_verified, email_is_private_relay,
                            mail_is_forwarded, created_at) VALUES ('a', 0, 0, 1, 0), ('b', 0, 0, 1, 0);
                        INSERT INTO apple_identities VALUES
                            ('i', '000001.maya', 'b', 'c', 1, 2, 3),
                            ('i', '000002.noah', 'a', 'c', 4, 5, NULL);
                        INSERT INTO apple_transfers VALUES ('b', 'i', 'transfer', 'team');
                        """
                )
            }
            try old.close()
            let store = try SQLiteAccountStore(path: folder.databasePath)
            let maya = try #require(try await store.account(AccountID("b")))
            #expect(maya.apple?.person.user.rawValue == "000001.maya")
            #expect(maya.apple?.linkedAt == Date(microseconds: 1))
            #expect(maya.apple?.consentedAt == Date(microseconds: 2))
            #expect(maya.apple?.revokedAt == Date(microseconds: 3))
            #expect(try await onTheirWay(store) == ["b"])
            // Foreign keys name the new table.
            try await execute("DELETE FROM accounts WHERE id = 'b'", on: store)
            #expect(try await onTheirWay(store).isEmpty)
            #expect(try await store.account(AccountID("a"))?.apple != nil)
            try store.close()
        }
    }

    @Test("that a newer program has written is refused, and stays as it is")
    func newer() async throws {
        try await TemporaryFolder.with { folder in
            let store = try SQLiteAccountStore(path: folder.databasePath)
            try await store.signIn(SampleSignIn())
            try await execute(
                "INSERT INTO grdb_migrations VALUES ('of a newer program')",
                on: store
            )
            try store.close()
            let error = #expect(throws: AccountStoreError.self) {
                try SQLiteAccountStore(path: folder.databasePath)
            }
            #expect(error?.kind == .failed)
            #expect(error?.hint.contains("newer program") == true)
        }
    }

    private func onTheirWay(_ store: SQLiteAccountStore) async throws -> [String] {
        try await store.queue.read {
            try String.fetchAll($0, sql: "SELECT account_id FROM apple_transfers")
        }
    }

    private func opened(_ entries: [OutboxEntry], _ sealer: TokenSealer) throws -> [String] {
        try entries.compactMap(\.task.refreshToken).map { token in
            let context = SealingContext.refreshToken(token.id, clientID: token.clientID)
            return String(
                decoding: try sealer.open(token.sealedToken, for: context),
                as: UTF8.self
            )
        }
    }

    /// A file as the version before left it, with one of everything.
    private func writeOldFile(
        _ path: String,
        _ sealer: TokenSealer,
        _ session: SessionToken
    ) throws {
        let old = try DatabaseQueue(path: path)
        try AccountsSchema.migrator.migrate(old, upTo: "what Apple tells of people")
        let seconds = start.timeIntervalSince1970
        let tokens = try ["a": "of Maya", "gone": "of somebody gone"].mapValues { $0 }
            .reduce(into: [String: String]()) { sealed, token in
                sealed[token.key] = try sealer.seal(
                    Data(token.value.utf8),
                    for: SealingContext(purpose: "apple-refresh-token", parts: [token.key, "c"])
                )
            }
        try old.write { database in
            for (sql, arguments) in oldRows(seconds, tokens, session) {
                try database.execute(sql: sql, arguments: arguments)
            }
        }
        try old.close()
    }

    private func oldRows(
        _ seconds: Double,
        _ tokens: [String: String],
        _ session: SessionToken
    ) -> [(String, StatementArguments)] {
        let issuer = "https://appleid.apple.com"
        return [
            (
                """
                INSERT INTO accounts (id, name, email, email_is_verified, email_is_deliverable,
                    email_event_at, created_at)
                VALUES ('a', 'Maya', 'maya@example.com', 1, 0, ?, ?)
                """,
                [seconds + 0.25, seconds + 0.123_456]
            ),
            (
                """
                INSERT INTO apple_identities (issuer, subject, account_id, client_id, linked_at,
                    consented_at) VALUES (?, '000001.maya', 'a', 'c', ?, ?)
                """,
                [issuer, seconds, seconds]
            ),
            ("INSERT INTO apple_refresh_tokens VALUES ('a', 'c', ?, ?)", [tokens["a"], seconds]),
            (
                "INSERT INTO sessions VALUES (?, 's', 'a', 'phone', ?2, ?2, ?2, ?3)",
                [session.hash.bytes, seconds, seconds + 3600]
            ),
            (
                "INSERT INTO pending_registrations VALUES (?, '000002.noah', 'Noah', ?)",
                [issuer, seconds]
            ),
            (
                "INSERT INTO used_identity_tokens VALUES (?, ?)",
                [SecretHash(of: "used").bytes, seconds + 60]
            ),
            (
                "INSERT INTO nonces (nonce_hash, expires_at, used_at) VALUES (?1, ?2, ?2)",
                [SecretHash(of: "used nonce").bytes, seconds]
            ),
            (
                """
                INSERT INTO revocations (id, account_id, client_id, sealed_token, created_at,
                    next_attempt_at) VALUES ('r', 'gone', 'c', ?, ?, ?)
                """,
                [tokens["gone"], seconds - 10, seconds - 10]
            ),
        ]
    }
}
