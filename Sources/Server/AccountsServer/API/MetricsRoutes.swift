import HTTPTypes
import Hummingbird
import NIOCore
import OpenAPIDescription
import PrometheusMetrics

/// The route that a Prometheus server reads.
struct MetricsRoutes: Sendable {
    private static let path: String = "/metrics"

    let server: ServerParts

    var routes: [Route] {
        [Route(.get, Self.path, as: Self.reading) { try read($0, $1) }]
    }

    /// Responds to clients outside the allowed networks as if the path did not exist.
    private func read(_ request: Request, _ context: ServerContext) throws -> Response {
        guard let exposition = server.metrics.exposition,
            server.configuration.metricsReaders.contains(request, context)
        else { throw ServerError.metricsHidden }
        server.sampler.sample()
        return Response(
            status: .ok,
            headers: [.contentType: PrometheusMetrics.contentType],
            body: ResponseBody(byteBuffer: ByteBuffer(string: exposition()))
        )
    }
}

extension MetricsRoutes {
    private static let reading = Operation(
        id: "readMetrics",
        group: .operation,
        summary: "Metrics for Prometheus, for the networks that the operator allows",
        answer: Operation.Answer(
            status: .ok,
            description: "Prometheus text exposition format 0.0.4.",
            schema: .text(),
            contentType: "text/plain"
        ),
        otherRefusals: [.notFound: [ServerError.metricsHidden.code]]
    )
}
