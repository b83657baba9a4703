import Accounts
import AccountsPostgreSQL
import AccountsSQLite
import Foundation
import Testing

@testable import AccountsServer

@Suite("The findings of siwa doctor about a database")
struct DatabaseDiagnosticsTests {
    typealias Mistake<Facts> = (
        check: String, outcome: DiagnosticFinding.Outcome, words: String,
        make: @Sendable (inout Facts) -> Void
    )

    private static let goodFile: SQLiteFacts = {
        var facts = SQLiteFacts(path: "/var/lib/siwa/siwa.sqlite")
        facts.byteCount = 4096
        facts.fileMode = 0o600
        facts.folderMode = 0o700
        facts.isWritable = true
        facts.hasWriteAheadLog = true
        facts.freeByteCount = 1 << 40
        facts.content = .success(content())
        return facts
    }()

    private static func content(
        _ quickCheck: String = "ok",
        _ schema: SQLiteFacts.Schema = .current,
        isUnfinishedCopy: Bool = false
    ) -> SQLiteFacts.Content {
        SQLiteFacts.Content(
            quickCheck: quickCheck,
            schema: schema,
            isUnfinishedCopy: isUnfinishedCopy
        )
    }

    static let fileMistakes: [Mistake<SQLiteFacts>] = [
        ("database file", .failure, "create it", { $0.folderMode = nil }),
        ("database file", .failure, "server's user", { $0.isWritable = false }),
        ("database file's mode", .warning, "chmod 600", { $0.fileMode = 0o640 }),
        ("database folder's mode", .warning, "chmod 700", { $0.folderMode = 0o777 }),
        ("database disk", .failure, "free up space", { $0.freeByteCount = 1_000 }),
        (
            "database disk", .warning, "two copies",
            { facts in
                facts.byteCount = 1 << 30
                facts.freeByteCount = 1 << 30
            }
        ),
        (
            "database content", .failure, "not a database",
            { $0.content = .failure(AccountStoreError(.failed, hint: "file is not a database")) }
        ),
        (
            "database content", .failure, "restore a backup",
            { $0.content = .success(content("row 1 missing from index")) }
        ),
        ("database tables", .warning, "before-N", { $0.content = .success(content("ok", .older)) }),
        ("database tables", .failure, "newer", { $0.content = .success(content("ok", .newer)) }),
        (
            "database copy", .failure, "siwa database copy",
            { $0.content = .success(content(isUnfinishedCopy: true)) }
        ),
        (
            "database copies", .warning, "siwa.sqlite.before-7",
            { $0.leftovers = ["siwa.sqlite.before-7"] }
        ),
    ]

    @Test("One mistake of a file gives exactly one finding", arguments: fileMistakes.indices)
    func file(_ index: Int) throws {
        let (check, outcome, words, make) = Self.fileMistakes[index]
        var facts = Self.goodFile
        #expect(SQLiteDiagnostics(facts: facts).findings.allSatisfy { $0.outcome == .ok })
        make(&facts)
        let wrong = SQLiteDiagnostics(facts: facts).findings.filter { $0.outcome != .ok }
        #expect(wrong.map(\.check) == [check])
        #expect(wrong.first?.outcome == outcome)
        #expect(wrong.first?.advice.contains(words) == true, "\(wrong)")
    }

    @Test("The server creates a missing file")
    func newFile() {
        var facts = SQLiteFacts(path: "/var/lib/siwa/siwa.sqlite")
        facts.folderMode = 0o1777
        facts.isWritable = true
        let findings = SQLiteDiagnostics(facts: facts).findings
        #expect(findings.map(\.outcome) == [.ok])
        #expect(findings.first?.advice.contains("the server creates it") == true)
    }

    private static let goodServer: PostgreSQLFacts = {
        var facts = PostgreSQLFacts()
        facts.versionNumber = 150_004
        facts.encoding = "UTF8"
        facts.collation = "C.UTF-8"
        facts.durability = ["fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"]
        facts.isLocal = true
        facts.connectionsLeft = 97
        facts.schema = "public"
        facts.mayCreateTables = true
        facts.schemaVersion = PostgreSQLFacts.currentSchemaVersion
        return facts
    }()

    static let serverMistakes: [Mistake<PostgreSQLFacts>] = [
        ("database server", .failure, "12.9 is too old", { $0.versionNumber = 120_009 }),
        ("database role", .failure, "standby", { $0.isStandby = true }),
        ("database encoding", .failure, "LATIN1", { $0.encoding = "LATIN1" }),
        ("database collation", .warning, "en_US", { $0.collation = "en_US.UTF-8" }),
        ("database collation", .failure, "REINDEX", { $0.isCollationOutdated = true }),
        ("database durability", .failure, "fsync off", { $0.durability["fsync"] = "off" }),
        (
            "database durability", .failure, "synchronous_commit off",
            { $0.durability["synchronous_commit"] = "off" }
        ),
        (
            "database durability", .failure, "full_page_writes off",
            { $0.durability["full_page_writes"] = "off" }
        ),
        (
            "database durability", .warning, "failover",
            { $0.durability["synchronous_commit"] = "local" }
        ),
        ("database encryption", .failure, "verify-full", { $0.isLocal = false }),
        ("database rights", .failure, "CREATE SCHEMA", { $0.schema = nil }),
        ("database rights", .failure, "GRANT CREATE", { $0.mayCreateTables = false }),
        ("database rights", .failure, "OWNER TO", { $0.foreignTables = ["accounts"] }),
        (
            "database tables", .warning, "next start",
            { $0.schemaVersion = PostgreSQLFacts.currentSchemaVersion - 1 }
        ),
        ("database tables", .failure, "newer", { $0.schemaVersion = 1_000 }),
        ("database copy", .failure, "siwa database copy", { $0.isUnfinishedCopy = true }),
        ("database connections", .warning, "1 more server", { $0.connectionsLeft = 31 }),
        ("database connections", .failure, "pool_size 16", { $0.connectionsLeft = 15 }),
        ("database clock", .warning, "60 seconds ahead", { $0.clockDifference = 60 }),
        ("database clock", .warning, "60 seconds behind", { $0.clockDifference = -60 }),
        ("database clock", .failure, "3601 seconds behind", { $0.clockDifference = -3601 }),
    ]

    @Test(
        "One mistake of a database server gives exactly one finding",
        arguments: serverMistakes.indices
    )
    func server(_ index: Int) throws {
        let (check, outcome, words, make) = Self.serverMistakes[index]
        let settings = try ConnectionSettings(url: "postgres://siwa@/siwa?host=/run")
        func findings(_ facts: PostgreSQLFacts) -> [DiagnosticFinding] {
            PostgreSQLDiagnostics(facts: facts, settings: settings).findings
        }
        var facts = Self.goodServer
        #expect(findings(facts).allSatisfy { $0.outcome == .ok })
        make(&facts)
        let wrong = findings(facts).filter { $0.outcome != .ok }
        #expect(wrong.map(\.check) == [check])
        #expect(wrong.first?.outcome == outcome)
        #expect(wrong.first?.advice.contains(words) == true, "\(wrong)")
    }

    @Test("Encryption passes when the server must prove its name, and is a warning otherwise")
    func encryption() throws {
        var facts = Self.goodServer
        facts.isLocal = false
        facts.tlsVersion = "TLSv1.3"
        let outcomes = try ["verify-full", "require"].map { mode in
            let url = "postgres://siwa@db.example.com/siwa?sslmode=\(mode)"
            let settings = try ConnectionSettings(url: url)
            return PostgreSQLDiagnostics(facts: facts, settings: settings).findings
                .first { $0.check == "database encryption" }?.outcome
        }
        #expect(outcomes == [.ok, .warning])
    }
}
