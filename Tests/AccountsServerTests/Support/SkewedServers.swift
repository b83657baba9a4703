import Accounts
import AccountsSQLite
import AccountsServer
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import Hummingbird
import HummingbirdTesting
import PrometheusMetrics
import ServerTestSupport
import TestSupport

/// Two accounts servers on one store, each with its own clock, with one emulator of Apple.
enum SkewedServers {
    /// The number of seconds that each clock is off.
    static let skew: TimeInterval = 600

    static func with(
        skew: TimeInterval = skew,
        _ body: @escaping @Sendable (_ fast: TestServer, _ slow: TestServer) async throws -> Void
    ) async throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withAppleEmulator { apple in
            var configuration = try AccountsServerConfiguration(
                values: TestSettings.values(in: folder)
            )
            configuration.apple = try apple.signInConfiguration()
            configuration.rules.passwordCost = .free
            let store = try AccountStore(
                SQLiteDatabase(path: folder.appending(path: "siwa.sqlite").path())
            )
            // A task that waits on the test's clock keeps the servers, and must not keep their files open.
            defer { try? store.close() }
            let make = { [configuration] (skew: TimeInterval) in
                try server(store, apple, configuration, clockOffBy: skew)
            }
            let (fast, slow) = (try make(skew), try make(-skew))
            let sealer = configuration.sealer
            try await fast.app.test(.router) { fastClient in
                try await slow.app.test(.router) { slowClient in
                    let servers = [(fastClient, fast.parts), (slowClient, slow.parts)].map {
                        TestServer(
                            client: $0,
                            apple: apple,
                            store: store,
                            log: $1.log,
                            sealer: sealer,
                            metrics: $1.metrics
                        )
                    }
                    try await body(servers[0], servers[1])
                }
            }
        }
    }

    /// The responses of a server about itself.
    private struct Parts {
        let log = LogRecorder()
        let metrics = PrometheusMetrics(descriptions: MetricsCatalogue.descriptions)
    }

    private static func server(
        _ store: AccountStore,
        _ apple: TestApple,
        _ configuration: AccountsServerConfiguration,
        clockOffBy skew: TimeInterval
    ) throws -> (app: some ApplicationProtocol, parts: Parts) {
        let parts = Parts()
        let clock = apple.time
        let application = try buildAccountsServer(
            configuration: configuration,
            store: store,
            transport: apple.transport,
            time: TimeSource(
                now: { clock.now.addingTimeInterval(skew) },
                uptime: { clock.uptime },
                sleep: { try await clock.source.sleep(for: $0) }
            ),
            metrics: .prometheus(parts.metrics),
            logger: parts.log.logger,
            address: .hostname("127.0.0.1", port: 0)
        )
        return (HostedApplication(base: application), parts)
    }
}
