import Accounts
import AppleIdentity
import Foundation
import Testing

@testable import AccountsPostgreSQL

@Suite("A look at a PostgreSQL database from outside")
struct PostgreSQLInspectionTests {
    @Test("tells of the server, and makes no tables")
    func empty() async throws {
        try await TestCluster.withSchema { settings in
            let facts = try await PostgreSQLFacts(inspecting: settings, time: .live)
            #expect(facts.versionNumber >= 130_000)
            #expect(facts.encoding == "UTF8")
            #expect(facts.collation == "C")
            #expect(!facts.isCollationOutdated)
            // As the script starts it.
            #expect(facts.durability["fsync"] == "off")
            #expect(facts.durability["full_page_writes"] == "off")
            #expect(facts.durability["synchronous_commit"] == "on")
            #expect(!facts.isStandby)
            #expect(facts.tlsVersion == nil)
            #expect(facts.isLocal)
            #expect((1...300).contains(facts.connectionsLeft))
            #expect(facts.schema?.hasPrefix("test_") == true)
            #expect(facts.mayCreateTables)
            #expect(facts.foreignTables.isEmpty)
            #expect(facts.schemaVersion == nil)
            #expect(abs(facts.clockDifference) < 60)
            let again = try await PostgreSQLFacts(inspecting: settings, time: .live)
            #expect(again.schemaVersion == nil)
        }
    }

    @Test("tells of the tables, and of an unfinished copy")
    func tables() async throws {
        try await TestCluster.withSchema { settings in
            let store = try await TestCluster.patientStore(settings)
            var facts = try await PostgreSQLFacts(inspecting: settings, time: .live)
            #expect(facts.schemaVersion == PostgreSQLFacts.currentSchemaVersion)
            #expect(!facts.isUnfinishedCopy)
            try await store.execute("INSERT INTO store_copies VALUES (1, 'another', 0, NULL)")
            facts = try await PostgreSQLFacts(inspecting: settings, time: .live)
            #expect(facts.isUnfinishedCopy)
            store.postgreSQL.close()
        }
    }

    @Test("tells of limits, and of tables that belong to somebody else")
    func stranger() async throws {
        let cluster = try await TestCluster.shared.value
        let parameters = try await cluster.makeSchema()
        let schema = try #require(parameters.split(separator: "D").last)
        let owner = try ConnectionSettings(url: cluster.url("postgres", parameters))
        let store = try await TestCluster.patientStore(owner)
        try await store.execute("CREATE ROLE \(schema) LOGIN CONNECTION LIMIT 5")
        try await store.execute("GRANT USAGE ON SCHEMA \(schema) TO \(schema)")
        try await store.execute("GRANT SELECT ON ALL TABLES IN SCHEMA \(schema) TO \(schema)")
        let url = cluster.url("postgres", parameters)
            .replacing("//app@", with: "//\(schema)@")
        let facts = try await PostgreSQLFacts(
            inspecting: ConnectionSettings(url: url),
            time: .live
        )
        #expect(facts.connectionsLeft == 5)
        #expect(!facts.mayCreateTables)
        #expect(facts.foreignTables.contains("accounts"))
        store.postgreSQL.close()
    }

    @Test("tells of a clock that is not this machine's")
    func clock() async throws {
        try await TestCluster.withSchema { settings in
            let time = ManualTime(now: TimeSource.live.now.addingTimeInterval(-3_600))
            let facts = try await PostgreSQLFacts(inspecting: settings, time: time.source)
            #expect((3_500...3_700).contains(facts.clockDifference))
        }
    }

    @Test("fails when there is no server")
    func unreachable() async throws {
        let settings = try ConnectionSettings(url: "postgres://siwa@127.0.0.1:1/siwa")
        let error = await #expect(throws: AccountStoreError.self) {
            try await PostgreSQLFacts(inspecting: settings, time: .live)
        }
        #expect(error?.hint.contains("refused") == true)
    }
}
