import CoreMetrics
import Foundation
import HTTPTypes

/// What is measured of the requests of one route; looked up once, when the route is mounted.
final class RequestMeasures: Sendable {
    /// The methods that are told by their names.
    static let knownMethods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS",
    ]
    /// How a request is told that no route takes.
    static let noRoute = "none"

    private struct Counts: Sendable {
        let method: HTTPRequest.Method?
        /// Of 2xx, 3xx, 4xx and 5xx.
        let byStatusClass: [Counter]
    }

    /// The route's path, with names for what varies.
    let route: String
    private let counts: [Counts]
    private let others: Counts
    private let duration: CoreMetrics.Timer

    /// Makes the instruments of a route; one of GET answers HEAD too.
    convenience init(_ method: HTTPRequest.Method, _ route: String, _ metrics: any MetricsFactory) {
        let isGet = method == .get
        self.init(isGet ? [.get, .head] : [method], others: method, route, metrics)
    }

    convenience init(unmatched metrics: any MetricsFactory) {
        let methods = Self.knownMethods.sorted().compactMap { HTTPRequest.Method($0) }
        self.init(methods, others: nil, Self.noRoute, metrics)
    }

    private init(
        _ methods: [HTTPRequest.Method],
        others: HTTPRequest.Method?,
        _ route: String,
        _ metrics: any MetricsFactory
    ) {
        func counts(_ method: HTTPRequest.Method?) -> Counts {
            let classes = ["2xx", "3xx", "4xx", "5xx"]
            return Counts(
                method: method,
                byStatusClass: classes.map { status in
                    Counter(
                        label: "siwa_http_requests_total",
                        dimensions: [
                            ("method", method?.rawValue ?? "other"), ("route", route),
                            ("status", status),
                        ],
                        factory: metrics
                    )
                }
            )
        }
        self.route = route
        self.counts = methods.map(counts)
        self.others = counts(others)
        duration = CoreMetrics.Timer(
            label: "siwa_http_request_duration_seconds",
            dimensions: [("method", others?.rawValue ?? "any"), ("route", route)],
            factory: metrics
        )
    }

    /// Notes an answer.
    func count(_ method: HTTPRequest.Method, _ status: HTTPResponse.Status, seconds: TimeInterval) {
        let counts = counts.first { $0.method == method } ?? others
        counts.byStatusClass[min(max(status.code / 100, 2), 5) - 2].increment()
        duration.recordSeconds(seconds)
    }
}
