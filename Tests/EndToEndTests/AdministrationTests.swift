import AppleIdentity
import Foundation
import TestSupport
import Testing

/// The commands of an administrator, with a running server and without one.
@Suite("siwa users, siwa database and siwa audit", TemporaryFolder.lending)
struct AdministrationTests {
    private let folder: URL
    init() throws { folder = try TemporaryFolder.lending.value }

    @Test("The command deletes an account, and a running server ends its session at once")
    func deletion() async throws {
        try await SiwaProcess.with(data: folder) { siwa in
            let app = try await signIn("maya@example.com", siwa)
            #expect(try await app.send("GET", "/api/account").status == 200)
            let id = try await accountID(of: app)
            let list = try await run(["users", "list", "--search", "maya"])
            #expect(list.exitCode == 0 && list.output.contains(id), "\(list)")
            #expect(list.output.split(separator: "\n").count == 2, "\(list)")
            #expect(list.output.contains("USERNAME") && list.errors.hasSuffix("1 account\n"))
            let none = try await run(["users", "list", "--since", "2100-01-01"])
            #expect(none.output.split(separator: "\n").count == 1, "\(none)")
            #expect(none.errors.hasSuffix("0 accounts\n"), "\(none)")
            let shown = try await run(["users", "show", "Maya@Example.com", "--json"])
            #expect(shown.object["id"]?.stringValue == id, "\(shown)")
            #expect(shown.object["sessions"]?.arrayValue?.count == 1)

            let unasked = try await run(["users", "delete", id])
            #expect(unasked.exitCode == 2 && unasked.errors.contains("--yes"))
            #expect(try await app.send("GET", "/api/account").status == 200)

            let deleted = try await run(["users", "delete", id, "--yes"])
            #expect(deleted.exitCode == 0, "\(deleted)")
            #expect(deleted.output.contains("1 token"))
            #expect(deleted.output.contains("a mail to the user about the deletion"), "\(deleted)")
            try await expectLastMail(siwa)
            #expect(try await app.send("GET", "/api/account").status == 401)
            try await expectRevoked("maya@example.com", siwa)
            let gone = try await run(["users", "show", id])
            #expect(gone.exitCode == 1 && gone.errors.contains("no such account"))
        }
    }

    @Test("Without a server a deletion needs keys and settings to queue a mail")
    func deletionWithoutServer() async throws {
        var ids: [String] = []
        try await SiwaProcess.with(data: folder) { siwa in
            for email in ["noah@example.com", "maya@example.com"] {
                let app = try await signIn(email, siwa)
                ids.append(try await accountID(of: app))
            }
            _ = try await siwa.program.stop()
        }
        let silent = try await run(["users", "delete", ids[0], "--yes"])
        #expect(silent.exitCode == 0 && silent.output.contains("no mail is sent"), "\(silent)")
        let key = try Data(contentsOf: folder.appending(path: "sealing.key"))
        let told = try await run(
            ["users", "delete", ids[1], "--yes"],
            [
                "SIWA_SEALING_KEYS": "demo:\(key.base64EncodedString())",
                "SIWA_SMTP_URL": "smtp://127.0.0.1:9", "SIWA_MAIL_FROM": "juice@example.com",
            ]
        )
        #expect(told.output.contains("a mail to the user about the deletion"), "\(told)")
        try await SiwaProcess.with(data: folder) { siwa in try await expectLastMail(siwa) }
    }

    @Test("Sessions are listed and ended") func sessions() async throws {
        try await SiwaProcess.with(data: folder) { siwa in
            let app = try await signIn("maya@example.com", siwa)
            let id = try await accountID(of: app)
            let listed = try await app.send("GET", "/api/sessions").object["sessions"]
            let session = try #require(listed?.arrayValue?.first?.objectValue?["id"]?.stringValue)
            let table = try await run(["users", "sessions", id])
            #expect(table.exitCode == 0 && table.output.contains(session))
            let wrong = try await run(["users", "sessions", id, "--end", "none"])
            #expect(wrong.exitCode == 1 && wrong.errors.contains("session does not exist"))
            let both = ["--end", session, "--end-all"]
            #expect(try await run(["users", "sessions", id] + both).exitCode == 2)
            let ended = try await run(["users", "sessions", id, "--end-all"])
            #expect(ended.output == "1 session ended\n")
            #expect(try await app.send("GET", "/api/account").status == 401)
        }
    }

    @Test("The same commands work without a server, also after a killed one")
    func withoutServer() async throws {
        try await SiwaProcess.with(data: folder) { siwa in
            _ = try await signIn("maya@example.com", siwa)
            try await siwa.program.kill()
        }
        let socket = folder.appending(path: "siwa.sqlite.socket")
        #expect(FileManager.default.fileExists(atPath: socket.path))
        let list = try await run(["users", "list", "--json"])
        #expect(list.exitCode == 0, "\(list)")
        let users = list.object["users"]?.arrayValue?.compactMap(\.objectValue)
        #expect(users?.map { $0["email"] } == ["maya@example.com"])
        #expect(!FileManager.default.fileExists(atPath: socket.path))
        try await SiwaProcess.with(data: folder) { siwa in
            let attributes = try FileManager.default.attributesOfItem(atPath: socket.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try await siwa.program.stop() == 0)
            #expect(!FileManager.default.fileExists(atPath: socket.path))
        }
    }

    @Test("A backup under load opens, and contains everything acknowledged before")
    func backup() async throws {
        let copy = folder.appending(path: "copy.sqlite")
        try await SiwaProcess.with(data: folder) { siwa in
            let control = ControlPort(siwa)
            for number in 1...12 { try await control.addPerson("person\(number)@example.com") }
            for number in 1...6 { _ = try await signIn("person\(number)@example.com", siwa) }
            try await withThrowingTaskGroup { group in
                for number in 7...12 {
                    group.addTask { _ = try await signIn("person\(number)@example.com", siwa) }
                }
                let made = try await run(["database", "backup", copy.path])
                #expect(made.exitCode == 0, "\(made)")
                try await group.waitForAll()
            }
            let refused = try await run(["database", "backup", copy.path])
            #expect(refused.exitCode == 1 && refused.errors.contains("--force"))
            let forced = try await run(["database", "backup", copy.path, "--force"])
            #expect(forced.exitCode == 0 && forced.output.contains("12 accounts"), "\(forced)")
        }
        // A backup is a database; the flag overrides the environment.
        let list = try await run(["users", "list", "--json", "--database", "sqlite:\(copy.path)"])
        #expect(list.object["users"]?.arrayValue?.count == 12, "\(list)")
    }

    @Test("After reseal the old key can be removed") func reseal() async throws {
        let old = Data(repeating: 1, count: 32).base64EncodedString()
        let new = Data(repeating: 2, count: 32).base64EncodedString()
        try await SiwaProcess.with(data: folder) { siwa in
            _ = try await signIn("maya@example.com", siwa)
            _ = try await siwa.program.stop()
        }
        let demo = try Data(contentsOf: folder.appending(path: "sealing.key")).base64EncodedString()
        func reseal(_ keys: String?) async throws -> Program.Run {
            var environment: [String: String] = [:]
            environment["SIWA_SEALING_KEYS"] = keys
            return try await run(["database", "reseal"], environment)
        }
        let missing = try await reseal(nil)
        #expect(missing.exitCode == 1 && missing.errors.contains("SIWA_SEALING_KEYS"))
        let wrong = try await reseal("old:\(old)")
        #expect(wrong.exitCode == 1 && wrong.errors.contains("1 secret"), "\(wrong)")
        let done = try await reseal("new:\(new),demo:\(demo)")
        #expect(done.exitCode == 0 && done.output.contains("with the key new: 1"), "\(done)")
        let checked = try await reseal("new:\(new)")
        #expect(checked.exitCode == 0 && checked.output.contains("with it: 1"), "\(checked)")
    }

    @Test("Keys that the running server lacks, or that decrypt nothing, encrypt nothing")
    func wrongKeys() async throws {
        let key = Data(repeating: 2, count: 32).base64EncodedString()
        let commands = [["keys", "rotate"], ["database", "reseal"]]
        try await SiwaProcess.with(data: folder) { siwa in
            _ = try await signIn("maya@example.com", siwa)
            let demo = try Data(contentsOf: folder.appending(path: "sealing.key"))
                .base64EncodedString()
            for (keys, exitCode) in [
                ("new:\(key),demo:\(demo)", Int32(1)), ("demo:\(key)", 1), ("demo", 1),
                ("demo:\(demo),new:\(key)", 0),
            ] {
                for command in commands {
                    let run = try await run(command, ["SIWA_SEALING_KEYS": keys])
                    #expect(run.exitCode == exitCode, "\(run)")
                }
            }
            let unknown = try await run(["database", "reseal"])
            #expect(unknown.output.contains("the key demo"), "\(unknown)")
            _ = try await siwa.program.stop()
        }
        for keys in ["new:\(key)", "demo:\(key)"] {
            for command in commands {
                let run = try await run(command, ["SIWA_SEALING_KEYS": keys])
                #expect(run.exitCode == 1, "\(run)")
                #expect(run.errors.contains("1 of them refresh tokens"), "\(run)")
            }
        }
        let settings = ["SIWA_SEALING_KEYS": "new:\(key)"]
        let mistyped = try await run(["database", "reseal", "--abandon", "deom"], settings)
        #expect(mistyped.exitCode == 1 && mistyped.errors.contains("demo: "), "\(mistyped)")
        let given = try await run(["database", "reseal", "--abandon", "demo"], settings)
        #expect(given.exitCode == 0 && given.errors.contains("given up; 1 refresh"), "\(given)")
        #expect(try await run(["keys", "rotate"], settings).exitCode == 0)
    }

    @Test("A name selects no account, and --yes needs an id or a username")
    func exactAccount() async throws {
        var id = ""
        func expectRefusals() async throws {
            for command in [["show"], ["delete", "--yes"], ["sessions", "--end-all"]] {
                let named = try await run(["users", command[0], "Maya"] + command.dropFirst())
                #expect(named.exitCode == 1 && named.errors.contains(id), "\(named)")
                #expect(named.output.isEmpty, "\(named)")
            }
            let address = try await run(["users", "delete", "maya@example.com", "--yes"])
            #expect(address.exitCode == 2 && address.errors.contains(id), "\(address)")
            let shown = try await run(["users", "show", "Maya@Example.com", "--json"])
            #expect(shown.object["id"]?.stringValue == id, "\(shown)")
        }
        try await SiwaProcess.with(data: folder) { siwa in
            let app = try await signIn("maya@example.com", siwa)
            id = try await accountID(of: app)
            try await expectRefusals()
            #expect(try await app.send("GET", "/api/account").status == 200)
            _ = try await siwa.program.stop()
        }
        try await expectRefusals()
        let unknown = try await run(["users", "show", "stranger"])
        #expect(unknown.exitCode == 1 && unknown.errors.contains("no account has"), "\(unknown)")
    }

    @Test("The audit log lists and exports a sign-in and a deletion")
    func audit() async throws {
        var id = ""
        try await SiwaProcess.with(data: folder) { siwa in
            let app = try await signIn("maya@example.com", siwa)
            id = try await accountID(of: app)
            let list = try await run(["audit", "list", "--account", id])
            #expect(list.output.contains("account_created"), "\(list)")
            #expect(list.output.contains("127.0.0.1"), "\(list)")
            for command in ["list", "export"] {
                let wrong = try await run(["audit", command, "--since", "yesterday"])
                #expect(wrong.exitCode == 2, "\(wrong)")
                #expect(wrong.errors.contains("must be"), "\(wrong)")
            }
            let deleted = try await run(["users", "delete", id, "--yes"])
            #expect(deleted.exitCode == 0)
            _ = try await siwa.program.stop()
        }
        func actions(_ list: Program.Run) throws -> [String?] {
            try list.output.split(separator: "\n")
                .map { try JSONObject(parsing: Data($0.utf8))["action"]?.stringValue }
        }
        let listing = ["audit", "list", "--account", id, "--json"]
        #expect(try await actions(run(listing)) == ["account_created", "account_deleted"])
        #expect(try await actions(run(listing + ["--actor", "person"])) == ["account_created"])
        let deletions = try await run(listing + ["--action", "account_deleted"])
        #expect(try actions(deletions) == ["account_deleted"])
        let list = try await run(listing + ["--reads"])
        let reads = [String?](repeating: "audit_read", count: 4)
        #expect(
            try actions(list)
                == ["account_created", "audit_read", "account_viewed", "account_deleted"] + reads
        )
        let export = try await run(["audit", "export"])
        #expect(export.exitCode == 0, "\(export)")
        let exported = try export.output.split(separator: "\n")
            .map { try JSONObject(parsing: Data($0.utf8)) }
        for line in list.output.split(separator: "\n") {
            #expect(export.output.contains(line))
        }
        let members = [
            "account", "action", "actor", "address", "administrator", "at", "client", "detail",
            "id", "session",
        ]
        #expect(exported.allSatisfy { $0.members.map(\.name).sorted() == members })
    }

    @Test("Wrong usage exits with 2, a missing database with 1")
    func refusals() async throws {
        for arguments in [
            ["users", "list", "--limit", "0"], ["users", "show"], ["database", "backup"],
            ["users", "list", "--limit", "1001"], ["audit", "list", "--limit", "0"],
            ["audit", "list", "--since", "2026-01-01", "--after", "a"],
            ["audit", "list", "--action", "sign"], ["audit", "export", "--actor", "root"],
        ] {
            #expect(try await run(arguments).exitCode == 2, "\(arguments)")
        }
        let missing = try await run(["users", "list"])
        #expect(missing.exitCode == 1 && missing.errors.contains("there is no database"))
        #expect(missing.errors.split(separator: "\n").count == 2)
        let long = folder.appending(path: String(repeating: "a", count: 100))
        try FileManager.default.createDirectory(at: long, withIntermediateDirectories: true)
        let database = long.appending(path: "siwa.sqlite").path
        #expect(FileManager.default.createFile(atPath: database, contents: nil))
        let option = ["--database", "sqlite:\(database)"]
        #expect(try await run(["database", "migrate"] + option).exitCode == 0)
        let refused = try await run(["users", "list"] + option)
        #expect(refused.exitCode == 1 && refused.errors.contains("bytes"), "\(refused)")
    }

    private func signIn(_ email: String, _ siwa: SiwaProcess) async throws -> HTTPCaller {
        let device = try await ControlPort(siwa).credentials(for: email, givenName: "Maya")
        var app = HTTPCaller(base: siwa.serverForPrograms)
        try await app.signIn(device)
        return app
    }

    private func accountID(of app: HTTPCaller) async throws -> String {
        try #require(try await app.send("GET", "/api/account").object["id"]?.stringValue)
    }

    private func expectRevoked(_ email: String, _ siwa: SiwaProcess) async throws {
        let control = ControlPort(siwa)
        try await waitUntil("Apple should revoke the token") {
            try await control.credentialState(of: email) == "authorized" ? nil : ()
        }
    }

    private func expectLastMail(_ siwa: SiwaProcess) async throws {
        let control = ControlPort(siwa)
        try await waitUntil("the mail about the deletion should arrive") {
            try await control.mail(of: "maya@example.com").contains {
                $0["subject"]?.stringValue?.contains("was deleted") == true
            } ? () : nil
        }
    }

    private func run(
        _ arguments: [String],
        _ environment: [String: String] = [:]
    ) async throws -> Program.Run {
        let database = ["SIWA_DATABASE_URL": "sqlite:\(folder.path)/siwa.sqlite"]
        return try await Program.run(arguments, folder, database.merging(environment) { $1 })
    }
}
