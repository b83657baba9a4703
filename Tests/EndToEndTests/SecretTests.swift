import Foundation
import TestSupport
import Testing

/// The command that prints a client secret, with the settings of the server.
@Suite("siwa secret", TemporaryFolder.lending) struct SecretTests {
    private let folder: URL
    init() throws { folder = try TemporaryFolder.lending.value }

    @Test("A flag overrides the environment, which overrides the file")
    func precedence() async throws {
        let file = try settingsFile()
        let config = ["--config", file.path]
        let fromFile = try await run(config)
        #expect(fromFile.exitCode == 0 && fromFile.errors.isEmpty, "\(fromFile)")
        #expect(claims(fromFile).contains(#""sub":"com.example.juice""#))
        #expect(claims(fromFile).contains(#""iss":"DEF123GHIJ""#))

        // The Services ID comes before the apps.
        let web = ["SIWA_SERVICES_ID": "com.example.juice.web", "SIWA_TEAM_ID": "XYZ123GHIJ"]
        let fromEnvironment = try await run(config, web)
        #expect(claims(fromEnvironment).contains(#""sub":"com.example.juice.web""#))
        #expect(claims(fromEnvironment).contains(#""iss":"XYZ123GHIJ""#))

        let flags = ["--client-id", "com.example.other", "--team-id", "UVW123GHIJ"]
        let fromFlags = try await run(config + flags, web)
        #expect(claims(fromFlags).contains(#""sub":"com.example.other""#))
        #expect(claims(fromFlags).contains(#""iss":"UVW123GHIJ""#))
    }

    @Test("A missing value is reported with its flag and its setting, and exits with 2")
    func missing() async throws {
        let settings = try ServeProcess.settings(in: folder)
        for (name, option) in [
            ("SIWA_CLIENT_IDS", "--client-id"), ("SIWA_TEAM_ID", "--team-id"),
            ("SIWA_KEY_ID", "--key-id"), ("SIWA_KEY_FILE", "--key-file"),
        ] {
            // An empty value counts as missing.
            let refused = try await run([], settings.merging([name: " "]) { $1 })
            #expect(refused.exitCode == 2 && refused.output.isEmpty, "\(refused)")
            #expect(refused.errors.contains("\(option) is missing"), "\(refused)")
            #expect(refused.errors.contains(name), "\(refused)")
            #expect(refused.errors.split(separator: "\n").count == 2)
        }
        for lifetime in ["0", "15777001"] {
            let refused = try await run(["--lifetime", lifetime], settings)
            #expect(refused.exitCode == 2, "\(refused)")
        }
    }

    @Test("The key itself can be a setting; the flag overrides it") func keyText() async throws {
        var settings = try ServeProcess.settings(in: folder)
        let file = try #require(settings["SIWA_KEY_FILE"])
        let key = try String(contentsOfFile: file, encoding: .utf8)
        settings["SIWA_KEY"] = key.replacing("\n", with: #"\n"#)
        let both = try await run([], settings)
        #expect(both.exitCode == 1 && both.errors.contains("SIWA_KEY is set, and so is"), "\(both)")
        settings["SIWA_KEY_FILE"] = ""
        #expect(claims(try await run([], settings)).contains("DEF123GHIJ"))
        settings["SIWA_KEY"] = "unreadable words"
        #expect(claims(try await run(["--key-file", file], settings)).contains("DEF123GHIJ"))
        let refused = try await run([], settings)
        #expect(refused.errors.contains("SIWA_KEY is not") && !refused.errors.contains("words"))
    }

    @Test("An invalid value is reported with its fix, and exits with 1") func wrong() async throws {
        let settings = try ServeProcess.settings(in: folder)
        let noKey = folder.appending(path: "AuthKey_NOKEY.p8")
        try Data("unreadable words".utf8).write(to: noKey)
        for (name, value, word) in [
            ("SIWA_KEY_FILE", "/nowhere/AuthKey.p8", "can't be read"),
            ("SIWA_KEY_FILE", noKey.path, "SIWA_KEY_FILE"),
            ("SIWA_TEAM_ID", "short", "SIWA_TEAM_ID"),
            ("SIWA_KEY_ID", "short", "SIWA_KEY_ID"),
        ] {
            let refused = try await run([], settings.merging([name: value]) { $1 })
            #expect(refused.exitCode == 1 && refused.output.isEmpty, "\(refused)")
            #expect(refused.errors.contains(word), "\(refused)")
            #expect(!refused.errors.contains("unreadable words"))
        }
        let broken = folder.appending(path: "broken.yaml")
        try Data("SIWA_TEAMID: DEF123GHIJ\n".utf8).write(to: broken)
        for file in [broken.path, folder.appending(path: "nowhere.yaml").path] {
            let refused = try await run(["--config", file], settings)
            #expect(refused.exitCode == 1 && refused.errors.contains(file), "\(refused)")
        }
    }

    /// The settings as a file, with the path of the key in quotes.
    private func settingsFile() throws -> URL {
        let file = folder.appending(path: "siwa.yaml")
        let lines = try ServeProcess.settings(in: folder).sorted { $0.key < $1.key }
            .map { "\($0): \"\($1)\"\n" }
        try Data(lines.joined().utf8).write(to: file)
        return file
    }

    /// The claims of the printed client secret.
    private func claims(_ run: Program.Run) -> String {
        let parts = run.output.split(separator: ".")
        guard parts.count == 3 else { return run.errors }
        var text = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
        while !text.count.isMultiple(of: 4) { text += "=" }
        return String(decoding: Data(base64Encoded: text) ?? Data(), as: UTF8.self)
    }

    private func run(
        _ arguments: [String],
        _ environment: [String: String] = [:]
    ) async throws -> Program.Run {
        try await Program.run(["secret"] + arguments, folder, environment)
    }
}
