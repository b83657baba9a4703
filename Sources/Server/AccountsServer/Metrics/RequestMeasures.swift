import CoreMetrics
import Foundation
import HTTPTypes

/// The instruments of one route, created once when the route is added.
final class RequestMeasures: Sendable {
    /// The methods that have their own label value.
    static let knownMethods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS",
    ]
    /// The label value of requests that no route matches.
    static let noRoute = "none"

    private struct Counts: Sendable {
        let method: HTTPRequest.Method?
        /// For 2xx, 3xx, 4xx and 5xx.
        let byStatusClass: [Counter]
    }

    /// The path template of the route.
    let route: String
    private let counts: [Counts]
    private let others: Counts
    private let duration: CoreMetrics.Timer

    /// Creates the instruments of a route; a route for GET also serves HEAD.
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

    /// Counts a response.
    func count(_ method: HTTPRequest.Method, _ status: HTTPResponse.Status, seconds: TimeInterval) {
        let counts = counts.first { $0.method == method } ?? others
        counts.byStatusClass[min(max(status.code / 100, 2), 5) - 2].increment()
        duration.recordSeconds(seconds)
    }
}
