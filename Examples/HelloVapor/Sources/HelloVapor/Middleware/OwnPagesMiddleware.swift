import Vapor

/// Accepts changes only from pages of this server, and answers errors with a page.
///
/// Apple's routes stay outside: Apple's callback is cross-site; `state` replaces the CSRF check.
struct OwnPagesMiddleware: AsyncMiddleware {
    private let origin: String

    init(_ origin: String) {
        self.origin = origin
    }

    func respond(
        to request: Request,
        chainingTo next: any AsyncResponder
    ) async throws -> Response {
        do {
            guard [.GET, .HEAD].contains(request.method) || isFromOwnPage(request) else {
                throw Abort(.forbidden, reason: "This request did not come from our own pages.")
            }
            return try await next.respond(to: request)
        } catch {
            request.logger.report(error: error)
            let known = error as? any AbortError
            return try await request.view
                .render("error", ["reason": known?.reason ?? "Something went wrong."])
                .encodeResponse(status: known?.status ?? .internalServerError, for: request)
        }
    }

    /// Every browser since 2023 sends `Sec-Fetch-Site`; older ones send `Origin` with a form.
    private func isFromOwnPage(_ request: Request) -> Bool {
        if let site = request.headers.first(name: "Sec-Fetch-Site") { return site == "same-origin" }
        return request.headers.first(name: .origin) == origin
    }
}
