import AccountsSQLite
import AccountsServer
import AppleEmulatorTesting
import Configuration
import Foundation
import HTTPTypes
import ServerTestSupport
import SignInWithApple
import TestSupport
import Testing

@testable import Accounts

/// The settings of a server, with one mistake each.
@Suite struct DiagnosticsTests {
    private func report(
        _ changes: [String: String?],
        keyFileMode: Int = 0o600,
        hasSecretFile: Bool = false,
        through transport: @escaping (AppleTransport) -> AppleTransport = { $0 }
    ) async throws -> DiagnosticReport {
        try await withAppleEmulator { apple in
            let folder = try makeTemporaryFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            var values = try TestSettings.values(in: folder)
            try FileManager.default.setAttributes(
                [.posixPermissions: keyFileMode],
                ofItemAtPath: try #require(values["SIWA_KEY_FILE"])
            )
            values["SIWA_TRUSTED_PROXIES"] = "127.0.0.1"
            // Any file with this mode stands for the file of settings.
            let secretFile = hasSecretFile ? values["SIWA_KEY_FILE"] : nil
            for (name, value) in changes { values[name] = value }
            return await AccountsServerDiagnostics(
                reader: ConfigReader(provider: AccountsServerConfiguration.provider(of: values)),
                secretFile: secretFile,
                transport: transport(apple.transport),
                time: apple.time.source
            )
            .run()
        }
    }

    @Test func usualSettingsPass() async throws {
        let apps = "com.example.juice,com.example.pulp=pulp://apple"
        let report = try await report(["SIWA_ANDROID_PACKAGES": apps])
        #expect(report.text.contains("/sign-in/android/callback/com.example.pulp; register"))
        #expect(!report.hasFailure, "\(report.text)")
        // No server is running here.
        let others = report.findings.filter { $0.outcome != .ok }
        #expect(others.map(\.check) == ["public URL"], "\(report.text)")
        #expect(others.map(\.outcome) == [.unchecked])
    }

    @Test(
        arguments: [
            ("SIWA_TEAM_ID", nil, "team ID"), ("SIWA_KEY_ID", "abc", "key ID"),
            ("SIWA_KEY_FILE", nil, "key file"), ("SIWA_KEY_FILE", "/nowhere/key.p8", "key file"),
            ("SIWA_KEY_FILE", "/dev/null", "key file"),
            ("SIWA_CLIENT_IDS", "com.example.juice.web", "Services ID"),
            ("SIWA_CLIENT_IDS", "juice", "bundle ID"),
            ("SIWA_PUBLIC_URL", nil, "public URL"),
            ("SIWA_PUBLIC_URL", "http://localhost:8080", "redirect address"),
            ("SIWA_PUBLIC_URL", "https://juice.example.com/path", "other settings"),
            ("SIWA_TRUSTED_PROXIES", nil, "trusted proxies"),
            ("SIWA_SEALING_KEYS", nil, "sealing keys"),
            ("SIWA_SEALING_KEYS", "k1:short", "sealing keys"),
            ("SIWA_APPLE_URL", "apple", "Apple's address"),
            ("SIWA_APPLE_URL", "http://apple:8081", "Apple's address"),
            ("SIWA_APPLE_ISSUER", "https://account.apple.com", "issuer"),
            ("SIWA_REQUIRE_NONCE", "yes", "other settings"),
            ("SIWA_ANDROID_PACKAGES", "juice", "other settings"), ("HTTPS_PROXY", "proxy", "proxy"),
            ("SIWA_DATABASE_URL_FILE", "/nowhere", "other settings"),
            ("SIWA_DATABASE_URL", "mysql://root:pw@db", "other settings"),
        ] as [(String, String?, String)]
    )
    func oneMistakeIsOneFailure(name: String, value: String?, check: String) async throws {
        let report = try await report([name: value])
        let failures = report.findings.filter { $0.outcome == .failure }
        #expect(failures.map(\.check) == [check], "\(report.text)")
        #expect(!report.text.contains("root:pw"))
    }

    @Test(
        "The public URL is checked with the running server",
        arguments: [
            (HTTPResponse.Status.seeOther, DiagnosticFinding.Outcome.ok, "leads to this server"),
            (.misdirectedRequest, .failure, "proxy_set_header Host $http_host"),
            (.badGateway, .unchecked, "https://juice.example.com responds with 502"),
        ]
    )
    func publicURL(
        status: HTTPResponse.Status,
        outcome: DiagnosticFinding.Outcome,
        words: String
    ) async throws {
        let report = try await report([:]) { apple in
            AppleTransport { request, body in
                guard request.authority == "juice.example.com" else {
                    return try await apple.send(request, body: body)
                }
                #expect(request.path == "/sign-in/apple?redirected=1")
                return .init(head: HTTPResponse(status: status))
            }
        }
        let finding = try #require(report.findings.first { $0.check == "public URL" })
        #expect(finding.outcome == outcome)
        #expect(finding.advice.contains(words), "\(finding.advice)")
    }

    @Test func publicURLIsMissingWithoutTheWeb() async throws {
        let changes = ["SIWA_PUBLIC_URL": nil, "SIWA_SERVICES_ID": nil] as [String: String?]
        #expect(try await !report(changes).hasFailure)
        let required = try await report(
            changes.merging(["SIWA_TOKEN_AUDIENCES": "orders", "SIWA_TEAM_ID": "a"]) { $1 }
        )
        let failures = required.findings.filter { $0.outcome == .failure }
        #expect(failures.map(\.check) == ["team ID", "public URL"], "\(required.text)")
        #expect(required.text.contains("SIWA_TOKEN_AUDIENCES"))
    }

    @Test(
        "Secrets that the sealing keys do not decrypt are a failure",
        arguments: [("lost", true), ("k1", true), ("k1", false)]
    )
    func storedSecrets(key: String, isLost: Bool) async throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "siwa.sqlite").path()
        let store = try AccountStore(SQLiteDatabase(path: path))
        let usual = "\(key):" + Data(repeating: 7, count: 32).base64EncodedString()
        let sealer = try TokenSealer(keys: isLost ? TokenSealer.makeKey(identifier: key) : usual)
        let first = TokenKeyRotation(
            .first,
            newKey: TokenKey(sealedBy: sealer, now: .now),
            now: .now
        )
        _ = try await store.rotateTokenKeys(first)
        // Read with the write-ahead log, as from a running server, and without it.
        for isClosed in [false, true] {
            if isClosed { try store.close() }
            let report = try await report(["SIWA_DATABASE_URL": "sqlite:\(path)"])
            let finding = try #require(report.findings.first { $0.check == "stored secrets" })
            #expect(finding.outcome == (isLost ? .failure : .ok), "\(finding)")
            #expect(!isLost || finding.advice.contains("\(key): 1 secret"), "\(finding)")
        }
    }

    @Test func keyFileOpenToEverybody() async throws {
        let report = try await report([:], keyFileMode: 0o644, hasSecretFile: true)
        #expect(!report.hasFailure)
        #expect(
            report.findings.filter { $0.outcome == .warning }.map(\.check)
                == ["key file's mode", "settings file's mode"]
        )
    }
}
