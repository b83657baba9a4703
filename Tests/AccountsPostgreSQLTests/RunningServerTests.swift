import AccountStoreConformance
import AppleIdentity
import Foundation
import SignInWithApple
import TestSupport
import Testing

@testable import Accounts
@testable import AccountsPostgreSQL

/// The sealing keys of the servers that share a database.
@Suite struct RunningServerTests {
    @Test(
        "A command whose first key a running server lacks is refused until a minute after that server stopped"
    )
    func lackingKey() async throws {
        try await TestCluster.withStore { store in
            let time = ManualTime(now: SampleSignIn.start)
            let (old, new) = (
                TokenSealer.makeKey(identifier: "old"), TokenSealer.makeKey(identifier: "new")
            )
            func service(_ keys: String) throws -> AccountsService {
                AccountsService(
                    store: store,
                    sealer: try TokenSealer(keys: keys),
                    time: time.source,
                    logger: TestCluster.quiet
                )
            }
            func isShared(_ keys: String) async throws -> Bool {
                try await service(keys).isSealingKeyShared()
            }
            #expect(try await isShared(new))
            await (try service(old).maintenance()).lookAfter()
            await (try service("\(old),\(new)").maintenance()).lookAfter()
            #expect(try await isShared(old))
            #expect(try await !isShared("\(new),\(old)"))
            // Another key with the same name is another key.
            #expect(try await !isShared(TokenSealer.makeKey(identifier: "old")))
            time.advance(bySeconds: 30)
            await (try service("\(old),\(new)").maintenance()).lookAfter()
            time.advance(bySeconds: 31)
            // The first server has stopped.
            #expect(try await isShared("\(new),\(old)"))
        }
    }

    @Test("siwa doctor reads the stored secrets")
    func inspection() async throws {
        try await TestCluster.withSchema { settings in
            let store = try await TestCluster.patientStore(settings)
            try await store.signIn(SampleSignIn(refreshToken: "lost.AAAA"))
            let sealer = try TokenSealer(keys: TokenSealer.makeKey(identifier: "k1"))
            let facts = try await PostgreSQLFacts(
                inspecting: settings,
                sealer: sealer,
                time: .live
            )
            let secrets = facts.unopenedSecrets?.description
            #expect(secrets == "lost: 1 secret, 1 of them refresh tokens")
            store.postgreSQL.close()
        }
    }

    @Test("An account that a text names is found by indices")
    func plan() async throws {
        try await TestCluster.withStore { store in
            var query = Query()
            _ = query.namedAccounts("maya@example.com", maximumCount: 20)
            let statement = try #require(query.statements.first)
            let connection = try await store.postgreSQL.pool.lend()
            let explained = try await connection.exchange([
                .command("BEGIN"), .command("SET LOCAL enable_seqscan = off"),
                Statement("EXPLAIN " + statement.sql, statement.values, isPrepared: false),
                .command("COMMIT"),
            ])
            .get()
            await store.postgreSQL.pool.giveBack(connection)
            let plan = try explained[2].rows.map { try $0.text(0) }.joined(separator: "\n")
            #expect(!plan.contains("Seq Scan"), "\(plan)")
        }
    }
}
