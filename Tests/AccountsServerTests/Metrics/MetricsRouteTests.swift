import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import PrometheusMetrics
import ServerTestSupport
import Testing

@testable import AccountsServer

@Suite("Reading the metrics", .timeLimit(.minutes(2)))
struct MetricsRouteTests {
    @Test("returns text in Prometheus' format") func text() async throws {
        try await withAccountsServer { server in
            let answer = try await server.send(.get, "/metrics")
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(answer.text.hasSuffix("\n"))
            #expect(answer.text.contains("# HELP siwa_http_requests_total HTTP requests"))
            #expect(answer.text.contains("# TYPE siwa_http_request_duration_seconds histogram"))
        }
    }

    @Test(
        "is for programs in the listed networks, which connect directly",
        arguments: [
            // The setting, a header field of the request, and whether this machine may read.
            ([], nil, true),
            (["127.0.0.0/8"], nil, true),
            (["10.0.0.0/8", "127.0.0.1"], nil, true),
            (["none"], nil, false),
            (["10.0.0.0/8"], nil, false),
            ([], "X-Forwarded-For", false),
            ([], "Forwarded", false),
            ([], "X-Real-IP", false),
            ([], "Via", false),
            (["10.0.0.0/8"], "X-Forwarded-For", false),
        ] as [([String], String?, Bool)]
    )
    func readers(_ networks: [String], _ field: String?, _ isAllowed: Bool) async throws {
        let readers = try MetricsReaders(networks)
        let proxies = try TrustedProxies(["127.0.0.1"])
        try await withAccountsServer(
            {
                $0.metricsReaders = readers
                $0.trustedProxies = proxies
            },
            setup: .live
        ) { server in
            var headers: HTTPFields = [:]
            // A listed network, forwarded by a trusted proxy.
            if let name = field.flatMap({ HTTPField.Name($0) }) { headers[name] = "10.0.0.1" }
            let answer = try await server.send(.get, "/metrics", headers)
            #expect(answer.status == (isAllowed ? .ok : .notFound))
            guard !isAllowed else { return }
            #expect(answer.code == "not_found")
            #expect(!answer.text.contains("siwa_"))
            #expect(server.log.text.contains("SIWA_METRICS_NETWORKS"))
        }
    }

    @Test(
        "is refused when the setting is invalid",
        arguments: [
            ["10.0.0.0/33"], ["none", "10.0.0.1"], ["monitoring.example.com"],
            Array(repeating: "10.0.0.1", count: NetworkList.maximumCount + 1),
        ]
    )
    func settings(_ entries: [String]) {
        let error = #expect(throws: ConfigurationError.self) { try MetricsReaders(entries) }
        #expect(error?.variable == "SIWA_METRICS_NETWORKS")
        #expect(error?.fix.isEmpty == false)
    }

    @Test("does not exist when the program uses another backend") func otherBackend() {
        #expect(ServerMetrics.system.exposition == nil)
        #expect(ServerMetrics.prometheus(PrometheusMetrics()).exposition != nil)
    }

    @Test("returns every described metric, and no other")
    func catalogue() async throws {
        try await withAccountsServer { server in
            _ = try await server.token()
            let text = try await server.send(.get, "/metrics").text
            let told = Set(text.matches(of: #/# TYPE (\w+) /#).map { String($0.output.1) })
            let described = Set(MetricsCatalogue.descriptions.map(\.name))
            // The registry's own metric, and those that only the other store has.
            #expect(told.subtracting(described) == ["metrics_dropped_series"])
            #expect(
                described.subtracting(told) == [
                    "siwa_postgresql_batch_waiting", "siwa_postgresql_connections",
                    "siwa_postgresql_waiting", "siwa_postgresql_wait_seconds",
                ]
            )
            #expect(MetricsCatalogue.descriptions.count == described.count)
            #expect(try Measurements(text)["metrics_dropped_series"] == 0)
        }
    }
}
