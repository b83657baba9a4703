import HTTPTypes
import Hummingbird

/// Tells browsers what our pages never do, so that nobody can make them do it.
struct SecurityHeadersMiddleware: RouterMiddleware {
    /// OWASP ASVS 3.4.1 asks for a year; in seconds.
    private static let strictTransportSeconds = 365 * 86_400

    private static let contentSecurityPolicy = [
        "default-src 'none'", "style-src 'self'", "img-src 'self'", "form-action 'self'",
        "frame-ancestors 'none'", "base-uri 'none'",
    ]
    .joined(separator: "; ")

    /// `same-origin` and not `no-referrer`, for which browsers write `Origin: null` into every form.
    private static let fields: [(String, String)] = [
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "same-origin"),
        ("X-Frame-Options", "DENY"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Content-Security-Policy", contentSecurityPolicy),
        ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    ]

    let origins: OriginChoice

    func handle(
        _ request: Request,
        context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        for (name, value) in Self.fields {
            guard let name = HTTPField.Name(name) else { continue }
            response.headers[name] = value
        }
        if response.headers[.cacheControl] == nil {
            response.headers[.cacheControl] = "no-store"
        }
        if origins.origin(of: request).isSecure {
            response.headers[.strictTransportSecurity] =
                "max-age=\(Self.strictTransportSeconds)"
        }
        return response
    }
}
