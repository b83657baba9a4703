import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Configuration
import Foundation
import MailTransport
import ServerTestSupport
import TestSupport
import Testing

@testable import AccountsServer

@Suite("The settings of outgoing mail", .timeLimit(.minutes(2)))
struct MailSettingsTests {
    private static let server = "smtps://user:pa55word@mail.example.com"
    private static let sender = "Juice <no-reply@juice.example.com>"

    @Test("are a server and a sender, or neither")
    func together() throws {
        try withSettings([:]) { values in
            let configuration = try AccountsServerConfiguration(values: values)
            #expect(configuration.mail == nil)
        }
        let both = ["SIWA_SMTP_URL": Self.server, "SIWA_MAIL_FROM": Self.sender]
        try withSettings(both) { values in
            let mail = try #require(try AccountsServerConfiguration(values: values).mail)
            let server = try SMTPServer(Self.server)
            let sender = try Mailbox(Self.sender)
            #expect(mail == MailSettings(server: server, sender: sender))
        }
    }

    @Test(
        "are refused one by one, and never repeat the password",
        arguments: [
            (server, nil, "SIWA_MAIL_FROM"), (nil, sender, "SIWA_SMTP_URL"),
            (server, "Juice", "SIWA_MAIL_FROM"),
            (server, "Juice <a@example.com>\r\nBcc: b@example.com", "SIWA_MAIL_FROM"),
            ("smtp://user:pa55word@", sender, "SIWA_SMTP_URL"),
            ("https://user:pa55word@mail.example.com", sender, "SIWA_SMTP_URL"),
            ("smtp://pa55word@mail.example.com", sender, "SIWA_SMTP_URL"),
        ] as [(String?, String?, String)]
    )
    func refused(server: String?, sender: String?, variable: String) throws {
        try withSettings(["SIWA_SMTP_URL": server, "SIWA_MAIL_FROM": sender]) { values in
            let errors = #expect(throws: ConfigurationErrors.self) {
                try AccountsServerConfiguration(values: values)
            }
            #expect(errors?.mistakes.map(\.variable) == [variable])
            #expect(errors?.description.contains("pa55word") == false)
        }
    }

    @Test("are checked by siwa doctor, which sends no email")
    func doctor() async throws {
        try await MailRelay.with { relay in
            let report = try await report(
                ["SIWA_SMTP_URL": "smtp://\(relay.address)", "SIWA_MAIL_FROM": Self.sender]
            )
            #expect(!report.hasFailure, "\(report.text)")
            #expect(report.text.contains("\(relay.address) responds"))
            #expect(try await relay.apple.emulator.mail()["messages"]?.arrayValue == [])
        }
        let away = try await report(
            ["SIWA_SMTP_URL": "smtp://127.0.0.1:1", "SIWA_MAIL_FROM": Self.sender]
        )
        let failures = away.findings.filter { $0.outcome == .failure }
        #expect(failures.map(\.check) == ["outgoing mail"])
        #expect(failures.first?.advice.contains("smtp_unreachable") == true)
        let half = try await report(["SIWA_SMTP_URL": Self.server])
        #expect(half.findings.filter { $0.outcome == .failure }.map(\.check) == ["outgoing mail"])
        #expect(!half.text.contains("pa55word"))
    }

    private func report(_ changes: [String: String?]) async throws -> DiagnosticReport {
        let settings = changes.merging(["SIWA_TRUSTED_PROXIES": "127.0.0.1"]) { first, _ in first }
        return try await withAppleEmulator { apple in
            try await withSettings(settings) { values in
                await AccountsServerDiagnostics(
                    reader: ConfigReader(
                        provider: AccountsServerConfiguration.provider(of: values)
                    ),
                    transport: apple.transport,
                    time: apple.time.source
                )
                .run()
            }
        }
    }

    private func withSettings<Answer>(
        _ changes: [String: String?],
        _ body: ([String: String]) async throws -> Answer
    ) async throws -> Answer {
        let folder = try Self.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(try Self.values(in: folder, changes))
    }

    private func withSettings(
        _ changes: [String: String?],
        _ body: ([String: String]) throws -> Void
    ) throws {
        let folder = try Self.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(try Self.values(in: folder, changes))
    }

    private static func makeFolder() throws -> URL {
        let folder = try makeTemporaryFolder()
        return folder
    }

    private static func values(
        in folder: URL,
        _ changes: [String: String?]
    ) throws -> [String: String] {
        var values = try TestSettings.values(in: folder)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600],
            ofItemAtPath: try #require(values["SIWA_KEY_FILE"])
        )
        for (name, value) in changes { values[name] = value }
        return values
    }
}
