import AccountStoreConformance
import AppleIdentity
import Foundation
import ServerTestSupport
import SignInWithApple
import Synchronization
import TestSupport
import Testing

@testable import Accounts
@testable import AccountsPostgreSQL

@Suite("Transactions on PostgreSQL", .timeLimit(.minutes(2)))
struct PostgreSQLTransactionTests {
    @Test("begin again as long as there is time when another one was in the way")
    func conflicts() async throws {
        let time = ManualTime()
        try await TestCluster.withStore(
            "&pool_size=2",
            time: time.passingPauses,
            randomUnit: { 1 }
        ) { store in
            try await store.execute("CREATE SEQUENCE attempts")
            try await store.execute(
                """
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    IF nextval('attempts') <= TG_ARGV[0]::bigint THEN
                        RAISE 'in the way' USING ERRCODE = TG_ARGV[1];
                    END IF;
                    RETURN NEW;
                END $$
                """
            )
            // The pauses grow to a tenth of a second: a hundred of them have room in ten.
            for (count, state, isDone) in [
                (90, "40001", true), (90, "40P01", true), (1_000, "40001", false),
                (2, "23505", true), (1_000, "23505", false),
            ] {
                try await store.execute("ALTER SEQUENCE attempts RESTART")
                try await store.execute(
                    """
                    CREATE OR REPLACE TRIGGER refusal BEFORE INSERT ON accounts FOR EACH ROW
                    EXECUTE FUNCTION refuse(\(count), '\(state)')
                    """
                )
                var sample = SampleSignIn()
                sample.user = UserID("\(count) \(state)")
                let start = time.uptime
                let outcome = await Task { [sample] in try await store.signIn(sample) }.result
                if count > 2, state != "23505" {
                    let isInTime = time.uptime - start < Retries.maximumTime
                    #expect(isInTime == isDone, "\(state)")
                }
                let worked = (try? outcome.get()) != nil
                #expect(worked == isDone, "\(state)")
                let attempts = try await store.execute("SELECT last_value FROM attempts")
                let most = state == "40001" ? 106 : Retries.maximumConstraintCount
                let expected = isDone ? count + 1 : most
                #expect(try attempts.first?.count(0) == expected, "\(state)")
            }
            #expect(try await store.accounts(after: nil, maximumCount: 10).count == 3)
        }
    }

    @Test("do not begin again for a caller who was cancelled")
    func cancelled() async throws {
        let time = ManualTime()
        try await TestCluster.withStore("&pool_size=2", time: time.source, randomUnit: { 1 }) {
            store in
            try await store.execute(
                """
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    RAISE 'in the way' USING ERRCODE = '40001';
                END $$
                """
            )
            try await store.execute(
                "CREATE TRIGGER refusal BEFORE INSERT ON pending_names EXECUTE FUNCTION refuse()"
            )
            var sample = SampleSignIn()
            sample.name = "Maya"
            let check = sample.check
            let waiting = Task { try await store.beginSignIn(check) }
            waiting.cancel()
            let error = await expectFailure(.unavailable) { try await waiting.value }
            #expect(error?.hint.contains("in the way") == true)
            #expect(time.uptime == .zero)
        }
    }

    @Test(
        "of which the answer to COMMIT is lost end with an unknown outcome, and asking again tells"
    )
    func lostAnswer() async throws {
        try await throughProxy { store, proxy in
            let sample = SampleSignIn()
            proxy.lose(.answer("COMMIT"))
            await expectFailure(.outcomeUnknown) {
                try await store.completeSignIn(sample.commit)
            }
            // It had been done: the same session, and no second account.
            let signedIn = try await store.completeSignIn(sample.commit).get()
            #expect(signedIn.account.id == sample.newAccountID)
            #expect(signedIn.session.id == sample.session)
            #expect(try await store.accounts(after: nil, maximumCount: 10).count == 1)
        }
    }

    @Test("that were rolled back although they were to be committed are not told as done")
    func rolledBack() async throws {
        try await throughProxy { store, proxy in
            proxy.lose(.commit)
            let error = await expectFailure(.failed) {
                try await store.completeSignIn(SampleSignIn().commit)
            }
            #expect(error?.hint == "a transaction was rolled back")
        }
    }

    @Test("of which the answer is lost while a session ends are asked again: it has ended, once")
    func lostEnd() async throws {
        try await throughProxy { store, proxy in
            let sample = SampleSignIn()
            let asking = try await store.signIn(sample).signedIn.session
            let ending = SampleSignIn()
            let session = try await store.signIn(ending).signedIn.session
            let service = try Self.service(store, at: sample.now)
            proxy.lose(.answer("COMMIT"))
            try await service.endSession(session.id, requestedBy: asking)
            #expect(proxy.isLost)
            #expect(try await store.session(tokenHash: ending.token.hash, now: ending.now) == nil)
            let entries = try await store.auditEntries(AuditQuery()).map(\.action)
            #expect(entries.filter { $0 == "session_ended" }.count == 1)
            let error = await #expect(throws: AccountsError.self) {
                try await service.endSession(session.id, requestedBy: asking)
            }
            #expect(error?.code == .sessionNotFound)
        }
    }

    @Test("of which an administrator's answer is lost tell what was done when they are asked again")
    func lostAdministration() async throws {
        try await throughProxy { store, proxy in
            var sample = SampleSignIn()
            sample.refreshToken = "token"
            let account = try await store.signIn(sample).signedIn.account.id
            try await store.signIn(SampleSignIn())
            let service = try Self.service(store, at: sample.now)
            proxy.lose(.answer("COMMIT"))
            #expect(try await service.endSessions(of: account, by: "root") == 2)
            #expect(proxy.isLost)
            proxy.lose(.answer("COMMIT"))
            let deletion = try await service.deleteAccount(account, by: "root")
            #expect(proxy.isLost)
            #expect(deletion?.revocationCount == 1)
            #expect(try await service.deleteAccount(account, by: "root") == nil)
        }
    }

    private static func service(
        _ store: AccountStore,
        at now: Date
    ) throws -> AccountsService {
        AccountsService(
            store: store,
            sealer: try TokenSealer(keys: TokenSealer.makeKey(identifier: "k1")),
            time: ManualTime(now: now).source,
            logger: TestCluster.quiet
        )
    }

    @Test("whose COMMIT never arrived end with an unknown outcome, and are done when asked again")
    func lostCommit() async throws {
        try await throughProxy { store, proxy in
            let sample = SampleSignIn()
            proxy.lose(.request("COMMIT"))
            await expectFailure(.outcomeUnknown) {
                try await store.completeSignIn(sample.commit)
            }
            let accounts = try await store.accounts(after: nil, maximumCount: 10)
            #expect(accounts.isEmpty)
            #expect(try await store.signIn(sample).isNewAccount)
        }
    }

    @Test(
        "whose server a connection pooler lost after COMMIT had been sent end with an unknown outcome"
    )
    func poolerLostServer() async throws {
        try await throughProxy { store, proxy in
            let sample = SampleSignIn()
            proxy.lose(.server(after: "COMMIT"))
            let error = await expectFailure(.outcomeUnknown) {
                try await store.completeSignIn(sample.commit)
            }
            #expect(error?.hint == "PostgreSQL 08P01: server conn crashed?")
            // It had been done, and so are statements that are a transaction without saying so.
            #expect(try await store.session(tokenHash: sample.token.hash, now: sample.now) != nil)
            proxy.lose(.server(after: "audit_entries"))
            let entries = (0..<2).map { number in
                AuditEntry(
                    id: AuditID("entry \(number)"),
                    occurredAt: sample.now,
                    action: "export",
                    actor: "person"
                )
            }
            await expectFailure(.outcomeUnknown) { try await store.record(entries) }
            let found = try await store.auditEntries(AuditQuery())
            #expect(entries.allSatisfy { found.contains($0) })
        }
    }

    @Test("that are lost before they write begin again on another connection")
    func lostBeforeWriting() async throws {
        try await throughProxy { store, proxy in
            proxy.lose(.request("SERIALIZABLE"))
            let (_, isNewAccount) = try await store.signIn(SampleSignIn())
            #expect(isNewAccount)
            #expect(proxy.isLost)
            proxy.lose(.request("SELECT"))
            #expect(try await store.accounts(after: nil, maximumCount: 2).count == 1)
            #expect(proxy.isLost)
        }
    }

    @Test("of which a write is refused change nothing, and give the connection back clean")
    func refusedWrite() async throws {
        try await TestCluster.withStore("&pool_size=1") { store in
            try await store.execute("ALTER TABLE sessions ADD CHECK (device <> 'refused')")
            var sample = SampleSignIn()
            sample.device = "refused"
            let process = "SELECT pg_backend_pid()::bigint"
            let before = try await store.execute(process).first?.count(0)
            let error = await expectFailure(.failed) {
                try await store.completeSignIn(sample.commit)
            }
            // Values of rows stay out of the log.
            #expect(error?.hint.contains("Maya") == false)
            #expect(error?.hint.contains("sessions_device_check") == true)
            #expect(try await store.accounts(after: nil, maximumCount: 10).isEmpty)
            sample.device = "taken"
            #expect(try await store.signIn(sample).isNewAccount)
            #expect(try await store.execute(process).first?.count(0) == before)
        }
    }

    @Test("do not wait for an answer for ever, nor does the server for them")
    func deadline() async throws {
        let time = ManualTime()
        try await throughProxy(time: time.source) { store, proxy in
            try await store.signIn(SampleSignIn())
            proxy.lose(.silence(after: "COMMIT"))
            let sample = SampleSignIn()
            let waiting = Task { try await store.completeSignIn(sample.commit) }
            // One more waits until the connection has been idle for too long.
            try await waitUntil { proxy.isLost && time.sleeperCount >= 2 }
            time.advance(bySeconds: 5)
            let error = await expectFailure(.outcomeUnknown) { try await waiting.value }
            #expect(error?.hint.contains("no response within 5") == true)
            #expect(try await store.session(tokenHash: sample.token.hash, now: sample.now) != nil)
            // The server keeps the connection whose answer is missing, and not for ever.
            let other = try await beside(store)
            while try await other.connectionCount() > 2 {}
            #expect(try await other.connectionCount() == 2)
            time.advance(bySeconds: 30)
            while try await other.connectionCount() > 1 {}
            await other.close()
        }
    }

    @Test("that wait for another one's lock for too long change nothing, and may be asked again")
    func locked() async throws {
        try await TestCluster.withSchema("&pool_size=1&application_name=locked") { settings in
            var hasty = settings
            hasty.statementTimeout = .seconds(1)
            // The client's time stands still: the server gives up.
            let store = try await AccountStore(
                PostgreSQLDatabase(
                    hasty,
                    time: ManualTime().source,
                    logger: TestCluster.quiet
                )
            )
            let other = try await PostgreSQLConnection.open(settings, time: .live)
            _ = try await other.exchange([.command("BEGIN"), .command("LOCK TABLE accounts")]).get()
            let sample = SampleSignIn()
            await expectFailure(.unavailable) { try await store.completeSignIn(sample.commit) }
            #expect(try await other.workingCount() == 0)
            _ = try await other.exchange([.command("ROLLBACK")]).get()
            store.postgreSQL.close()
            let patient = try await TestCluster.patientStore(settings)
            #expect(try await patient.signIn(sample).isNewAccount)
            await other.close()
            patient.postgreSQL.close()
        }
    }

    @Test("go on after the server was restarted, without an error for those who read or ask later")
    func restart() async throws {
        let cluster = try await TestCluster()
        let settings = try ConnectionSettings(url: cluster.url("postgres", "&pool_size=4"))
        let store = try await AccountStore(PostgreSQLDatabase(settings, logger: TestCluster.quiet))
        let sample = SampleSignIn()
        try await store.signIn(sample)
        _ = try await AccountStoreConformance.atOnce(8) { _ in
            try await store.account(sample.newAccountID)
        }
        try await cluster.command("stop")
        await expectFailure(.unavailable) {
            try await store.checkWriting(as: ["k1=00"], now: sample.now)
        }
        try await cluster.command("start")
        let found = try await store.session(tokenHash: sample.token.hash, now: sample.now)
        #expect(found?.session.id == sample.session)
        #expect(try await store.signIn(SampleSignIn()).isNewAccount == false)
        store.postgreSQL.close()
    }

    @Test("that are ended by an administrator leave the other ones alone")
    func terminated() async throws {
        try await TestCluster.withDatabase { cluster, database in
            let settings = try ConnectionSettings(url: cluster.url(database, "&pool_size=3"))
            let store = try await TestCluster.patientStore(settings)
            let other = try await TestCluster.patientStore(settings)
            let sample = SampleSignIn()
            try await store.signIn(sample)
            try await other.execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """
            )
            let found = try await store.session(tokenHash: sample.token.hash, now: sample.now)
            #expect(found?.session.id == sample.session)
            #expect(try await store.signIn(SampleSignIn()).isNewAccount == false)
            store.postgreSQL.close()
            other.postgreSQL.close()
        }
    }

    /// Without a clock, the machine may be busy.
    private func throughProxy(
        time: TimeSource? = nil,
        _ body: (AccountStore, TestProxy) async throws -> Void
    ) async throws {
        let cluster = try await TestCluster.shared.value
        let name = "&application_name=proxied_\(UUID().uuidString)"
        let parameters = try await cluster.makeSchema() + "&sslmode=disable&pool_size=2" + name
        try await TestProxy.with(port: cluster.port) { proxy in
            let address = "postgres://app:secret@127.0.0.1:\(proxy.port)/postgres"
            let settings = try ConnectionSettings(url: "\(address)?\(parameters.dropFirst())")
            let store = try await AccountStore(
                PostgreSQLDatabase(
                    time == nil ? settings.patient : settings,
                    time: time ?? .patient,
                    logger: TestCluster.quiet
                )
            )
            defer { store.postgreSQL.close() }
            try await body(store, proxy)
        }
    }

    /// A connection to the same database by no proxy.
    private func beside(_ store: AccountStore) async throws -> PostgreSQLConnection {
        let name = try #require(store.postgreSQL.pool.settings.parameter("application_name"))
        let url = try await TestCluster.shared.value
            .url("postgres", "&application_name=\(name)")
        return try await PostgreSQLConnection.open(ConnectionSettings(url: url), time: .live)
    }
}
