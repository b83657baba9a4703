import AccountsServer
import AppleIdentity
import Configuration
import Foundation
import Logging
import ServerTestSupport
import Synchronization
import TestSupport
import Testing

/// Settings from several sources with an order of precedence.
@Suite struct ConfigurationReaderTests {
    private func withValues(_ body: ([String: String]) throws -> Void) throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(try TestSettings.values(in: folder))
    }

    @Test func firstProviderWinsAndAnEmptyValueCountsAsMissing() throws {
        try withValues { values in
            let flags = ["SIWA_APP_NAME": "Flag"]
            let environment = ["SIWA_APP_NAME": "Environment", "SIWA_LOG_LEVEL": " "]
            let file = values.merging(["SIWA_LOG_LEVEL": "error", "SIWA_APP_NAME": "File"]) { $1 }
            let configuration = try AccountsServerConfiguration(
                reader: ConfigReader(
                    providers: [flags, environment, file]
                        .map { AccountsServerConfiguration.provider(of: $0) }
                )
            )
            #expect(configuration.appName == "Flag")
            #expect(configuration.log.level == .info)
            #expect(configuration.servicesID == "com.example.juice.web")
        }
    }

    @Test func listStandsForACommaList() throws {
        try withValues { values in
            let list = ConfigValue(
                .stringArray(["com.example.juice", "com.example.cup"]),
                isSecret: false
            )
            let configuration = try AccountsServerConfiguration(
                reader: ConfigReader(providers: [
                    InMemoryProvider(values: ["SIWA_CLIENT_IDS": list]),
                    AccountsServerConfiguration.provider(of: values),
                ])
            )
            #expect(configuration.nativeClientIDs == ["com.example.juice", "com.example.cup"])
        }
    }

    @Test func noAccessReportAndNoDumpShowsASecret() throws {
        try withValues { values in
            let reports = RecordedAccesses()
            var values = values
            values["SIWA_DATABASE_URL"] = "sqlite:secret.sqlite"
            let provider = AccountsServerConfiguration.provider(of: values)
            _ = try AccountsServerConfiguration(
                reader: ConfigReader(provider: provider, accessReporter: reports)
            )
            let sealingKey = try #require(values["SIWA_SEALING_KEYS"])
            let text = reports.text + String(reflecting: provider)
            #expect(text.contains("DEF123GHIJ"))
            #expect(!text.contains(sealingKey) && !text.contains("secret.sqlite"))
        }
    }
}

/// Records each access that the reader reports, as its own loggers do.
private final class RecordedAccesses: AccessReporter {
    private let lines = Mutex<[String]>([])

    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    func report(_ event: AccessEvent) {
        lines.withLock { $0.append("\(event.metadata.key) \(event.result)") }
    }
}
