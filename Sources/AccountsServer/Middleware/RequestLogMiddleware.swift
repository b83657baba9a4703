import HTTPTypes
import Hummingbird
import Logging

/// Writes one line for each request: who, what, and what came of it.
///
/// The route's pattern stands for the path, and no field of the request is written: neither can
/// carry a secret into the log, nor a line break.
struct RequestLogMiddleware: RouterMiddleware {
    private static let knownMethods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS",
    ]

    func handle(
        _ request: Request,
        context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        let method = request.method.rawValue
        context.logger.info(
            "request",
            metadata: [
                "method": "\(Self.knownMethods.contains(method) ? method : "other")",
                "route": "\(context.endpointPath ?? "none")",
                "status": "\(response.status.code)",
                "peer": "\(context.peer ?? "none")",
            ]
        )
        return response
    }
}
