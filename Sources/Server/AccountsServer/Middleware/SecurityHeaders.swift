import HTTPTypes
import Hummingbird

/// Adds the header fields that forbid browsers what the server's pages never do.
struct SecurityHeaders: Sendable {
    /// One year, in seconds: OWASP ASVS 3.4.1.
    private static let strictTransportSeconds = 365 * 86_400

    private static let ownSources = "default-src 'none'; style-src 'self'; img-src 'self'; "

    /// Returns the content security policy of a page.
    ///
    /// Chromium applies `form-action` to redirects too, so it lists the page's app.
    ///
    /// - Parameters:
    ///   - formTargets: other origins to which a form may lead.
    ///   - scriptSource: the one script that may run.
    /// - Returns: the value of `Content-Security-Policy`.
    static func pagePolicy(formTargets: [String] = [], scriptSource: String? = nil) -> String {
        let targets = (["'self'"] + formTargets).joined(separator: " ")
        let script = scriptSource.map { "script-src \($0); " } ?? ""
        return ownSources + script
            + "form-action \(targets); frame-ancestors 'none'; base-uri 'none'"
    }

    /// For pages; with `no-referrer`, browsers would send `Origin: null` with every form.
    private static let pageFields = fields([
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "same-origin"),
        ("X-Frame-Options", "DENY"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Content-Security-Policy", pagePolicy()),
        ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    ])

    /// For JSON responses: a browser that may not guess another type renders none of them.
    private static let documentFields = fields([("X-Content-Type-Options", "nosniff")])

    let origins: OriginChoice

    func add(to response: inout Response, for request: Request) {
        let isPlain =
            response.status.kind == .successful && request.head.path?.hasPrefix("/api/") == true
        let policy = response.headers[.contentSecurityPolicy]
        for field in isPlain ? Self.documentFields : Self.pageFields {
            response.headers[field.name] = field.value
        }
        if let policy, policy.hasPrefix(Self.ownSources) {
            response.headers[.contentSecurityPolicy] = policy
        }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        if origins.isSecure(request) {
            response.headers[.strictTransportSecurity] = Self.strictTransport
        }
    }

    private static let strictTransport = "max-age=\(strictTransportSeconds)"

    private static func fields(_ texts: [(String, String)]) -> [HTTPField] {
        texts.compactMap { name, value in
            HTTPField.Name(name).map { HTTPField(name: $0, value: value) }
        }
    }
}
