import AppleIdentity
import Foundation
import SignInWithApple
import TestSupport
import Testing

@testable import siwa

/// An app moves to another team, and an operator migrates its users.
@Suite("siwa users transfer", TemporaryFolder.lending) struct TransferTests {
    private let folder: URL
    init() throws { folder = try TemporaryFolder.lending.value }

    private static let recipient = "OTHERTEAM1"

    @Test("Users keep their accounts at the recipient, by a sign-in or the import")
    func wholeWay() async throws {
        try await SiwaProcess.with(data: folder) { siwa in
            let maya = try await signIn("maya@example.com", siwa.serverForPrograms, siwa)
            let noah = try await signIn("noah@example.com", siwa.serverForPrograms, siwa)
            let file = folder.appending(path: "people.jsonl").path
            try await export(to: file, folder, siwa)
            let settings = try await moveApp(folder, siwa)
            try await ServeProcess.with(folder, environment: settings) { serve in
                let moved = HTTPCaller(base: serve.server, token: maya.token)
                #expect(try await state(moved) == "transferred")
                let again = try await signIn("noah@example.com", serve.server, siwa, hasCode: false)
                #expect(try await id(again) == id(noah))
                try await importPeople(file, folder, settings)
                try await expectAudit(folder, settings)
                #expect(try await state(moved) == "authorized")
                #expect(try await id(moved) == id(maya))
                let after = try await signIn("maya@example.com", serve.server, siwa)
                #expect(try await id(after) == id(maya))
            }
        }
    }

    /// Both commands of the sending team, and the same again.
    private func export(to file: String, _ folder: URL, _ siwa: SiwaProcess) async throws {
        let settings = try giver(folder, siwa)
        let arguments = ["users", "transfer", "export", "--to-team", Self.recipient, file]
        let dry = try await Program.run(arguments + ["--dry-run"], folder, settings)
        #expect(dry.exitCode == 0 && dry.output.contains("2 to request"), "\(dry)")
        #expect(!dry.output.contains("all users were"))
        #expect(!FileManager.default.fileExists(atPath: file))
        // Apple is unavailable for a moment: the command retries.
        let fault: JSONObject = ["endpoint": "usermigrationinfo", "status": 503, "count": 1]
        try await ControlPort(siwa).add("/faults", fault)
        let first = try await Program.run(arguments, folder, settings)
        #expect(first.exitCode == 0 && first.output.contains("all users were"), "\(first)")
        let again = try await Program.run(arguments, folder, settings)
        #expect(again.exitCode == 0 && again.output.contains("0 to request"), "\(again)")
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.split(separator: "\n").count == 2)
    }

    /// The app moves to the recipient, who gets a copy of the database.
    ///
    /// - Returns: the recipient's settings.
    private func moveApp(_ folder: URL, _ siwa: SiwaProcess) async throws -> [String: String] {
        let control = HTTPCaller(base: siwa.control)
        try await control.require("POST", "/teams", ["team_id": .string(Self.recipient)])
        let key = try await control.require("POST", "/keys", ["team_id": .string(Self.recipient)])
        let keyID = try #require(key["key_id"]?.stringValue)
        let keyFile = folder.appending(path: "AuthKey_\(keyID).p8")
        let pem = try #require(key["private_key_pem"]?.stringValue)
        try Data(pem.utf8).write(to: keyFile)
        try await control.require(
            "POST",
            "/transfers",
            ["client_id": .string(ControlPort.clientID), "to_team": .string(Self.recipient)]
        )
        let copy = folder.appending(path: "copy.sqlite").path
        let backup = try await Program.run(
            ["database", "backup", copy],
            folder,
            giver(folder, siwa)
        )
        #expect(backup.exitCode == 0, "\(backup)")
        return try giver(folder, siwa)
            .merging([
                "SIWA_TEAM_ID": Self.recipient, "SIWA_KEY_ID": keyID,
                "SIWA_KEY_FILE": keyFile.path, "SIWA_DATABASE_URL": "sqlite:\(copy)",
            ]) { $1 }
    }

    private func importPeople(
        _ file: String,
        _ folder: URL,
        _ settings: [String: String]
    ) async throws {
        let arguments = ["users", "transfer", "import", file]
        let dry = try await Program.run(arguments + ["--dry-run"], folder, settings)
        #expect(dry.exitCode == 0 && dry.output.contains("1 to request"), "\(dry)")
        #expect(!dry.output.contains("all users were"))
        let done = try await Program.run(arguments, folder, settings)
        #expect(done.exitCode == 0 && done.output.contains("all users were"), "\(done)")
        let again = try await Program.run(arguments, folder, settings)
        #expect(again.exitCode == 0 && again.output.contains("0 to request"), "\(again)")
        let other = settings.merging(["SIWA_TEAM_ID": "JUICETEAM1"]) { $1 }
        let refused = try await Program.run(arguments, folder, other)
        #expect(refused.exitCode == 1 && refused.errors.contains("a team other"), "\(refused)")
    }

    /// The recipient's database is a copy of the sending team's: its log has both commands, and who ran them.
    private func expectAudit(_ folder: URL, _ settings: [String: String]) async throws {
        let list = try await Program.run(["audit", "list", "--json"], folder, settings)
        #expect(list.exitCode == 0, "\(list)")
        let entries = try list.output.split(separator: "\n").map {
            try JSONObject(parsing: Data($0.utf8))
        }
        let runs = entries.filter { $0["action"]?.stringValue?.hasPrefix("transfer_") == true }
        // Each ran twice; Noah was migrated by his own sign-in.
        let words = runs.map {
            "\($0["action"]?.stringValue ?? "") \($0["detail"]?.stringValue ?? "")"
        }
        #expect(
            words == [
                "transfer_exported OTHERTEAM1 2", "transfer_exported OTHERTEAM1 0",
                "transfer_imported OTHERTEAM1 1", "transfer_imported OTHERTEAM1 0",
            ]
        )
        #expect(runs.allSatisfy { $0["administrator"]?.stringValue?.isEmpty == false })
    }

    @Test("A user whom Apple does not return is reported, and the command exits with 1")
    func personLeft() async throws {
        try await SiwaProcess.with(data: folder) { siwa in
            _ = try await signIn("maya@example.com", siwa.serverForPrograms, siwa)
            let fault: JSONObject = [
                "endpoint": "usermigrationinfo", "status": 400,
                "body": "{\"error\":\"invalid_request\"}", "count": 1,
            ]
            try await ControlPort(siwa).add("/faults", fault)
            let file = folder.appending(path: "people.jsonl").path
            let arguments = ["users", "transfer", "export", "--to-team", Self.recipient, file]
            let left = try await Program.run(arguments, folder, giver(folder, siwa))
            #expect(left.exitCode == 1 && left.errors.contains("1 user could"), "\(left)")
            #expect(left.errors.contains("apple_refused_request"), "\(left)")
            let wrong = try await Program.run(
                ["users", "transfer", "export", "--to-team", "team", file],
                folder,
                giver(folder, siwa)
            )
            #expect(wrong.exitCode == 2)
        }
    }

    @Test("Users of ungrouped apps are requested with their own app")
    func ungroupedApps() async throws {
        try await SiwaProcess.with(data: folder) { siwa in
            let other = "com.example.smoothie"
            let control = ControlPort(siwa)
            try await control.add("/apps", ["client_id": .string(other), "team_id": "JUICETEAM1"])
            let settings = try giver(folder, siwa)
                .merging([
                    "SIWA_CLIENT_IDS": "\(ControlPort.clientID),\(other)",
                    "SIWA_DATABASE_URL": "sqlite:\(folder.path)/apps.sqlite",
                ]) { $1 }
            let file = folder.appending(path: "people.jsonl").path
            let export = ["users", "transfer", "export", "--to-team", Self.recipient, file]
            let everybody = ["--client-id", ControlPort.clientID]
            try await ServeProcess.with(folder, environment: settings) { serve in
                for (email, app) in [
                    ("maya@example.com", ControlPort.clientID), ("noah@example.com", other),
                ] {
                    let device = try await control.credentials(for: email, clientID: app)
                    var caller = HTTPCaller(base: serve.server)
                    try await caller.signIn(device)
                }
                let left = try await Program.run(export + everybody, folder, settings)
                #expect(left.exitCode == 1 && left.errors.contains("1 user could"), "\(left)")
                let done = try await Program.run(export, folder, settings)
                #expect(done.exitCode == 0 && done.output.contains("all users were"), "\(done)")
            }
        }
    }

    @Test("The file of an export without users is read")
    func emptyFile() throws {
        let file = folder.appending(path: "people.jsonl").path
        #expect(try TransferFile.write([], team: TeamID(Self.recipient), to: file) == 0)
        #expect(try TransferFile.read(file, team: TeamID(Self.recipient)).isEmpty)
    }

    @Test(
        "A file that export did not write is refused with the invalid line",
        arguments: ["nothing", "{}", "{\"issuer\":\"a\",\"user\":\"b\",\"transferSub\":\"\"}"]
    )
    func wrongFile(_ line: String) async throws {
        let file = folder.appending(path: "people.jsonl").path
        let good = "{\"issuer\":\"a\",\"team\":\"OTHERTEAM1\",\"transferSub\":\"c\",\"user\":\"b\"}"
        try Data("\(good)\n\(line)\n".utf8).write(to: URL(filePath: file))
        let failure = #expect(throws: CommandFailure.self) {
            try TransferFile.read(file, team: TeamID(Self.recipient))
        }
        #expect(failure?.message.contains("people.jsonl:2") == true)
        let missing = #expect(throws: CommandFailure.self) {
            try TransferFile.read(file + "x", team: TeamID(Self.recipient))
        }
        #expect(missing?.message.contains("can't read") == true)
    }
}

extension TransferTests {
    /// The demo's settings, for the sending team.
    private func giver(_ folder: URL, _ siwa: SiwaProcess) throws -> [String: String] {
        let key = try Data(contentsOf: folder.appending(path: "sealing.key"))
        return [
            "SIWA_TEAM_ID": "JUICETEAM1", "SIWA_KEY_ID": "JUICEKEY01",
            "SIWA_KEY_FILE": folder.appending(path: "AuthKey_JUICEKEY01.p8").path,
            "SIWA_CLIENT_IDS": ControlPort.clientID,
            "SIWA_APPLE_URL": siwa.apple.absoluteString,
            "SIWA_SEALING_KEYS": "demo:\(key.base64EncodedString())",
            "SIWA_DATABASE_URL": "sqlite:\(folder.path)/siwa.sqlite",
        ]
    }

    private func signIn(
        _ email: String,
        _ server: URL,
        _ siwa: SiwaProcess,
        hasCode: Bool = true
    ) async throws -> HTTPCaller {
        let device = try await ControlPort(siwa).credentials(for: email, hidesEmail: true)
        var app = HTTPCaller(base: server)
        var request = try HTTPCaller.request(from: device)
        if !hasCode { request["authorizationCode"] = nil }
        let answer = try await app.require("POST", "/api/sessions/apple", request)
        app.token = answer["token"]?.stringValue
        return app
    }

    private func id(_ app: HTTPCaller) async throws -> String? {
        try await app.require("GET", "/api/account")["id"]?.stringValue
    }

    private func state(_ app: HTTPCaller) async throws -> String? {
        try await app.require("GET", "/api/account/apple/credential-state")["state"]?.stringValue
    }
}
