import Vapor

/// Sets headers so responses can't be framed or cached, errors included; a route's own headers stay.
struct HeadersMiddleware: AsyncMiddleware {
    private static let headers: HTTPHeaders = [
        "Cache-Control": "no-store",
        "Content-Security-Policy":
            "default-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    ]

    func respond(
        to request: Request,
        chainingTo next: any AsyncResponder
    ) async throws -> Response {
        let response = try await next.respond(to: request)
        for (name, value) in Self.headers where !response.headers.contains(name: name) {
            response.headers.add(name: name, value: value)
        }
        return response
    }
}
