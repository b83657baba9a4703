import HTTPTypes
import Hummingbird
import Logging

/// Writes one line for each request: who, what, and what came of it; and gives every line that is written on
/// the way the request's name and the address it came from.
///
/// The route's pattern stands for the path, and no field of the request is written: neither can
/// carry a secret into the log, nor a line break.
struct RequestLogMiddleware: RouterMiddleware {
    let proxies: TrustedProxies

    private static let knownMethods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS",
    ]

    private static let forwardedFor = HTTPField.Name("X-Forwarded-For") ?? .via

    /// The name under which Hummingbird gives a request's logger its number.
    private static let requestKey = "hb.request.id"

    func handle(
        _ request: Request,
        context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let peer = proxies.client(
            peer: context.peer ?? "none",
            forwarded: request.headers[values: Self.forwardedFor]
        )
        var shared: Logger.Metadata = ["peer": "\(peer)"]
        shared[Self.requestKey] = context.logger[metadataKey: Self.requestKey]
        return try await RequestLogContext.$metadata.withValue(shared) {
            let response = try await next(request, context)
            log(request, response, context)
            return response
        }
    }

    private func log(_ request: Request, _ response: Response, _ context: ServerContext) {
        let method = request.method.rawValue
        context.logger.info(
            "request",
            metadata: [
                "method": "\(Self.knownMethods.contains(method) ? method : "other")",
                "route": "\(context.endpointPath ?? "none")",
                "status": "\(response.status.code)",
            ]
        )
    }
}
