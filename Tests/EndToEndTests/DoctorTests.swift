import AppleIdentity
import Foundation
import TestSupport
import Testing

/// The command that checks a configuration, as a user runs it.
@Suite("siwa doctor", TemporaryFolder.lending) struct DoctorTests {
    private let folder: URL
    init() throws { folder = try TemporaryFolder.lending.value }

    @Test("A valid configuration passes, an invalid one fails") func exitCodes() async throws {
        try await SiwaProcess.with(data: folder) { siwa in
            let good = try settings(apple: siwa.apple, server: siwa.server)
            let passed = try await doctor(good)
            #expect(passed.exitCode == 0, "\(passed.output)")
            #expect(passed.output.contains("3 RSA keys"))
            #expect(!passed.output.contains("FAIL"))
            #expect(passed.output.contains("\(siwa.server) leads to this server"))
            #expect(passed.output.contains("settings file's mode"), "\(passed.output)")

            var broken = good
            broken["SIWA_TEAM_ID"] = "juice"
            let failed = try await doctor(broken)
            #expect(failed.exitCode == 1)
            #expect(failed.output.contains("FAIL"))
            #expect(failed.output.contains("ten capital letters"))
        }
    }

    @Test("A program can read the findings") func json() async throws {
        let refused = try await doctor(
            ["SIWA_TEAM_ID": "juice", "SIWA_APPLE_URL": "http://127.0.0.1:1"],
            options: ["--json"]
        )
        #expect(refused.exitCode == 1)
        #expect(refused.object["failed"] == true)
        let first = refused.object["checks"]?.arrayValue?.first?.objectValue
        #expect(first?["check"] == "team ID" && first?["result"] == "failure")
    }

    @Test("A setting that does not exist is refused by its name")
    func unknownSetting() async throws {
        let refused = try await doctor(["SIWA_TEAMID": "JUICETEAM1"])
        #expect(refused.exitCode == 1)
        #expect(refused.output.isEmpty)
    }

    @Test("The environment overrides the file") func environmentWins() async throws {
        let refused = try await doctor(
            ["SIWA_TEAM_ID": "juice", "SIWA_APPLE_URL": "http://127.0.0.1:1"],
            environment: ["SIWA_TEAM_ID": "JUICETEAM1"]
        )
        #expect(refused.output.contains("JUICETEAM1"), "\(refused.output)")
    }

    @Test(
        "A file that is not a settings file is refused with the invalid line",
        arguments: [
            ("SIWA_TEAM_ID: a\nSIWA_TEAMID: b", "settings.yaml:2: SIWA_TEAMID is not a setting"),
            ("SIWA_CLIENT_IDS:\n  a: b", "neither a string nor a list"),
            ("SIWA_CLIENT_IDS: [[a]]", "neither a string nor a list"),
            ("- SIWA_TEAM_ID", "is not a YAML or JSON mapping"),
            ("SIWA_TEAM_ID: " + String(repeating: "a", count: 256 * 1024), "can't read"),
        ]
    )
    func refusedFile(_ text: String, _ words: String) async throws {
        let file = folder.appending(path: "settings.yaml")
        try Data(text.utf8).write(to: file)
        let refused = try await Program.run(["doctor", "--config", file.path], folder)
        #expect(refused.exitCode == 1)
        #expect(refused.errors.contains(words), "\(refused.errors)")
        #expect(refused.errors.contains("hint: "))
    }

    /// The demo's settings: its key, and its URLs.
    private func settings(apple: URL, server: URL) throws -> [String: String] {
        let sealingKey = try Data(contentsOf: folder.appending(path: "sealing.key"))
        return [
            "SIWA_TEAM_ID": "JUICETEAM1",
            "SIWA_KEY_ID": "JUICEKEY01",
            "SIWA_KEY_FILE": folder.appending(path: "AuthKey_JUICEKEY01.p8").path,
            "SIWA_CLIENT_IDS": "com.example.juice",
            "SIWA_SERVICES_ID": "com.example.juice.web",
            "SIWA_PUBLIC_URL": server.absoluteString,
            "SIWA_APPLE_URL": apple.absoluteString,
            "SIWA_SEALING_KEYS": "demo:\(sealingKey.base64EncodedString())",
        ]
    }

    private func doctor(
        _ settings: [String: String],
        options: [String] = [],
        environment: [String: String] = [:]
    ) async throws -> Program.Run {
        let file = folder.appending(path: "settings.json")
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        try encoder.encode(settings).write(to: file)
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o644]
        try FileManager.default.setAttributes(attributes, ofItemAtPath: file.path)
        let arguments = ["doctor", "--config", file.path] + options
        return try await Program.run(arguments, folder, environment)
    }
}
