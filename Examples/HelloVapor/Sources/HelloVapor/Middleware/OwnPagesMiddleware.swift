import Vapor

/// Lets a browser change something only from pages of this server, and keeps these out of frames and caches.
struct OwnPagesMiddleware: AsyncMiddleware {
    private static let policy =
        "default-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

    private let origin: String

    init(_ origin: String) {
        self.origin = origin
    }

    func respond(
        to request: Request,
        chainingTo next: any AsyncResponder
    ) async throws -> Response {
        guard [.GET, .HEAD].contains(request.method) || isFromOwnPage(request) else {
            throw Abort(.forbidden, reason: "This was not asked for from one of our own pages.")
        }
        let response = try await next.respond(to: request)
        response.headers.replaceOrAdd(name: .contentSecurityPolicy, value: Self.policy)
        response.headers.replaceOrAdd(name: .cacheControl, value: "no-store")
        return response
    }

    /// Every browser since 2023 sends `Sec-Fetch-Site`; older ones send `Origin` with a form.
    private func isFromOwnPage(_ request: Request) -> Bool {
        if let site = request.headers.first(name: "Sec-Fetch-Site") { return site == "same-origin" }
        return request.headers.first(name: .origin) == origin
    }
}
