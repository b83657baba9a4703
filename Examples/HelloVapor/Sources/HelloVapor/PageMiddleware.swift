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

/// Answers errors of browsers with a page.
struct ErrorPageMiddleware: AsyncMiddleware {
    func respond(
        to request: Request,
        chainingTo next: any AsyncResponder
    ) async throws -> Response {
        do {
            return try await next.respond(to: request)
        } catch  where request.headers.first(name: .accept)?.contains("text/html") == true {
            request.logger.report(error: error)
            let known = error as? any AbortError
            return try await request.view
                .render("error", ["reason": known?.reason ?? "Something went wrong."])
                .encodeResponse(status: known?.status ?? .internalServerError, for: request)
        }
    }
}
