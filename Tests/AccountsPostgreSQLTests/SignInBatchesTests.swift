import AccountStoreConformance
import Accounts
import AppleIdentity
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import AccountsPostgreSQL

@Suite("Sign-ins that share a transaction")
struct SignInBatchesTests {
    @Test("are made for all who came while one was under way, each with what is their own")
    func shared() async throws {
        try await TestCluster.withBusyStore { store, connection, _ in
            let samples = Self.samples(SignInBatches.maximumCount + 4)
            let tasks = try await Self.complete(samples, store)
            await store.pool.giveBack(connection)
            for (sample, task) in zip(samples, tasks) {
                let outcome = try await task.value
                guard case .signedIn(let signedIn, isNewAccount: true) = outcome else {
                    Issue.record("\(outcome)")
                    return
                }
                #expect(signedIn.session.id == sample.session)
                let stored = try await store.session(tokenHash: sample.token.hash, now: sample.now)
                #expect(stored == signedIn)
                #expect(stored?.account.name == sample.name)
                #expect(stored?.account.email == sample.email)
            }
            // The first one was alone, then as many as may, then the rest.
            #expect(try await Self.transactionCount(of: "sessions", in: store) == 3)
            #expect(try await Self.transactionCount(of: "apple_refresh_tokens", in: store) == 3)
        }
    }

    @Test("write a line of the log for each entry of the audit log, as what is written alone does")
    func auditLines() async throws {
        let log = LogRecorder()
        try await TestCluster.withBusyStore(logger: log.logger) { store, connection, _ in
            var samples = Self.samples(4)
            for index in samples.indices {
                samples[index].audit = AuditContext(actor: .person, now: SampleSignIn.start)
            }
            let tasks = try await Self.complete(samples, store)
            #expect(!log.text.contains("info audit "))
            await store.pool.giveBack(connection)
            for task in tasks { _ = try await task.value }
            _ = try await store.recordEntries(2)
            let entries = try await store.auditEntries(AuditQuery()).map(\.id.rawValue)
            #expect(entries.count == 6)
            let lines = log.text.split(separator: "\n").filter { $0.hasPrefix("info audit ") }
            #expect(lines.count == entries.count)
            for entry in entries {
                #expect(lines.filter { $0.contains(entry) }.count == 1)
            }
        }
    }

    @Test("go on without one that the rules refuse")
    func oneIsRefused() async throws {
        try await TestCluster.withBusyStore { store, connection, _ in
            var samples = Self.samples(4)
            samples[2].requiredAccount = .make(at: SampleSignIn.start)
            let tasks = try await Self.complete(samples, store)
            await store.pool.giveBack(connection)
            for index in [0, 1, 3] { _ = try await tasks[index].value }
            #expect(try await tasks[2].value == .refused(.otherAccount))
            #expect(try await Self.transactionCount(of: "sessions", in: store) == 2)
        }
    }

    @Test(
        "are made one by one when the server does not take the rows of one",
        arguments: [true, false]
    )
    func oneIsOut(isUsed: Bool) async throws {
        try await TestCluster.withBusyStore { store, connection, _ in
            await store.pool.giveBack(connection)
            try await store.execute("ALTER TABLE sessions ADD CHECK (device <> 'refused')")
            try await store.signIn(SampleSignIn(identityToken: "used"))
            let lent = try await store.pool.lend()
            var samples = Self.samples(4)
            if isUsed { samples[2].identityToken = "used" } else { samples[2].device = "refused" }
            let tasks = try await Self.complete(samples, store)
            await store.pool.giveBack(lent)
            for index in [0, 1, 3] {
                guard case .signedIn(_, isNewAccount: true) = try await tasks[index].value else {
                    Issue.record("\(index) was refused")
                    return
                }
            }
            switch await tasks[2].result {
            case .success(let outcome): #expect(isUsed && outcome == .refused(.tokenReplayed))
            case .failure(let error):
                let error = try #require(error as? AccountStoreError)
                #expect(!isUsed && error.kind == .failed)
                #expect(error.hint.contains("sessions_device_check"))
            }
            #expect(try await store.accounts(after: nil, maximumCount: 10).count == 4)
        }
    }

    @Test(
        "never have two of one person, or with one address, in one transaction",
        arguments: [true, false]
    )
    func nothingInCommon(isSamePerson: Bool) async throws {
        try await TestCluster.withBusyStore { store, connection, _ in
            var samples = Self.samples(4)
            if isSamePerson { samples[3].user = samples[2].user }
            samples[3].email = samples[2].email
            let tasks = try await Self.complete(samples, store)
            await store.pool.giveBack(connection)
            for task in tasks { _ = try await task.value }
            #expect(try await Self.transactionCount(of: "sessions", in: store) == 3)
            let accounts = try await store.accounts(after: nil, maximumCount: 10)
            #expect(accounts.count == (isSamePerson ? 3 : 4))
        }
    }

    @Test("wait for a row that somebody has locked with the one alone that needs it")
    func locked() async throws {
        let name = "&pool_size=4&application_name=locked_\(UUID().uuidString)"
        try await TestCluster.withStore(name, time: ManualTime().passingPauses) { store in
            let known = Self.samples(1)[0]
            let account = try await store.signIn(known).signedIn.account.id
            let locking = try await PostgreSQLConnection.open(store.pool.settings, time: .live)
            let lock = Statement(
                "SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE",
                [.text(account.rawValue)]
            )
            _ = try await locking.exchange([.command("BEGIN"), lock]).get()
            var again = SampleSignIn()
            again.user = known.user
            again.name = "Maya"
            let others = Self.samples(4)
            var lent: [PostgreSQLConnection] = []
            for _ in 0..<4 { lent.append(try await store.pool.lend()) }
            let tasks = try await Self.complete([others[1], others[2], again, others[3]], store)
            for connection in lent { await store.pool.giveBack(connection) }
            for index in [0, 1, 3] {
                guard case .signedIn(_, isNewAccount: true) = try await tasks[index].value else {
                    Issue.record("\(index) was refused")
                    return
                }
            }
            _ = try await locking.exchange([.command("ROLLBACK")]).get()
            guard case .signedIn(let signedIn, isNewAccount: false) = try await tasks[2].value
            else {
                Issue.record("the sign-in was refused")
                return
            }
            #expect(signedIn.account.id == account)
            await locking.close()
        }
    }

    @Test("are refused when too many wait, and when they have waited for too long")
    func limited() async throws {
        try await TestCluster.withBusyStore { store, connection, time in
            let samples = Self.samples(SignInBatches.maximumWaitingCount + 1)
            var tasks = try await Self.complete([samples[0]], store)
            time.advance(bySeconds: 1)
            tasks += try await Self.complete(samples.dropFirst(), store, isBusy: true)
            let refused = await #expect(throws: AccountStoreError.self) {
                try await store.completeSignIn(SampleSignIn().completion)
            }
            #expect(refused?.kind == .unavailable)
            #expect(refused?.hint == "PostgreSQL: too many sign-ins wait")
            // The first one has waited long enough for the connection; the next ones begin to.
            time.advance(bySeconds: 2)
            let begunCount = 1 + SignInBatches.maximumCount
            try await waitUntil { store.signIns.waitingCount <= samples.count - begunCount }
            time.advance(bySeconds: 1)
            for task in tasks.dropFirst(begunCount) {
                let late = await #expect(throws: AccountStoreError.self) { try await task.value }
                #expect(late?.kind == .unavailable)
                #expect(late?.hint == "PostgreSQL: the sign-ins before take too long")
            }
            await store.pool.giveBack(connection)
            for task in tasks[1..<begunCount] { _ = try await task.value }
            #expect(try await store.signIn(SampleSignIn()).isNewAccount)
        }
    }

    @Test(
        "all end with an unknown outcome when the answer to COMMIT is lost, and asking again tells"
    )
    func lostAnswer() async throws {
        let cluster = try await TestCluster.shared.value
        let parameters = try await cluster.makeSchema() + "&sslmode=disable&pool_size=1"
        try await TestProxy.with(port: cluster.port) { proxy in
            let address = "postgres://app:secret@127.0.0.1:\(proxy.port)/postgres"
            let store = try await TestCluster.patientStore(
                ConnectionSettings(url: "\(address)?\(parameters.dropFirst())")
            )
            defer { store.close() }
            let connection = try await store.pool.lend()
            let samples = Self.samples(3)
            let tasks = try await Self.complete(samples, store)
            // Only a statement for two says so.
            proxy.lose(.answer("INSERT 0 2"))
            await store.pool.giveBack(connection)
            _ = try await tasks[0].value
            for task in tasks.dropFirst() {
                let error = await #expect(throws: AccountStoreError.self) { try await task.value }
                #expect(error?.kind == .outcomeUnknown)
            }
            #expect(try await store.accounts(after: nil, maximumCount: 10).count == 3)
            for sample in samples {
                let again = try await store.completeSignIn(sample.completion)
                guard case .signedIn(let signedIn, isNewAccount: true) = again else {
                    Issue.record("\(again)")
                    return
                }
                #expect(signedIn.session.id == sample.session)
            }
            #expect(try await store.accounts(after: nil, maximumCount: 10).count == 3)
        }
    }

    @Test("put what goes into one table together, and keep the order of each")
    func together() {
        let first = Insertion(into: "a", [("x", .integer), ("y", .text)])
        let second = Insertion(into: "b", [("x", .integer)], onConflict: "(x) DO NOTHING")
        let other = Statement("DELETE FROM a WHERE x = $1", [.integer(1)])
        let lists = [
            [first.row([.integer(1), .text("1")]), second.row([.integer(1)])],
            [other, first.row([.integer(2), .text(nil)]), second.row([.integer(2)])],
            [],
            [second.row([.integer(3)]), second.row([.integer(4)])],
        ]
        let texts: [StatementValue] = [.text("1"), .text(nil)]
        let numbers = { (numbers: [Int64]) -> StatementValue in
            .array(numbers.map { .integer($0) }, .integer)
        }
        #expect(
            Statement.together(lists) == [
                other,
                Statement(first.many, [numbers([1, 2]), .array(texts, .text)]),
                Statement(second.many, [numbers([1, 2, 3, 4])]),
            ]
        )
        let alone = [first.row([.integer(1), .text("1")]), other]
        #expect(Statement.together([alone]) == alone)
        #expect(
            first.many
                == "INSERT INTO a (x, y) SELECT * FROM unnest((SELECT $1::bigint[]), (SELECT $2::text[]))"
        )
    }
}

extension SignInBatchesTests {
    private static func samples(_ count: Int) -> [SampleSignIn] {
        (0..<count).map { number in
            var sample = SampleSignIn()
            sample.user = UserID(rawValue: "person.\(number)")
            sample.newAccountID = .make(at: SampleSignIn.start, .random)
            // Some values are missing in some of them.
            sample.name = number.isMultiple(of: 2) ? AccountName("Maya \(number)") : nil
            sample.email =
                number % 3 == 0
                ? nil
                : EmailAddress(
                    text: "\(number)@example.com",
                    isVerified: true,
                    isPrivateRelay: false
                )
            sample.refreshToken = "token \(number)"
            return sample
        }
    }

    /// Begins to complete sign-ins, in their order; they wait behind the first, unless that one does too.
    private static func complete(
        _ samples: some Collection<SampleSignIn>,
        _ store: PostgreSQLAccountStore,
        isBusy: Bool = false
    ) async throws -> [Task<SignInOutcome, any Error>] {
        var tasks: [Task<SignInOutcome, any Error>] = []
        for sample in samples {
            tasks.append(Task { try await store.completeSignIn(sample.completion) })
            let waitingCount = tasks.count - (isBusy ? 0 : 1)
            try await waitUntil {
                store.signIns.waitingCount >= waitingCount && store.pool.waiterCount > 0
            }
        }
        return tasks
    }

    /// How many transactions a table's rows are from.
    private static func transactionCount(
        of table: String,
        in store: PostgreSQLAccountStore
    ) async throws -> Int {
        let sql = "SELECT count(DISTINCT xmin::text) FROM \(table)"
        return try await store.execute(sql).first?.count(0) ?? 0
    }
}
