import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import SignInWithApple

/// Lets pages of listed origins call the API (CORS); no other page gets a header field.
///
/// Source: [Fetch, section 3.3](https://fetch.spec.whatwg.org/#http-cors-protocol)
struct CrossOriginRequests: Sendable {
    /// Seconds for which a browser may keep the response to a preflight request; Chromium's maximum.
    private static let preflightSeconds = 7200

    let allowed: AllowedOrigins
    let origins: OriginChoice
    let refused: CountedRefusals

    /// Whether a browser asks whether a listed origin may send a request.
    func isPreflight(_ request: Request) -> Bool {
        request.method == .options && request.headers[.accessControlRequestMethod] != nil
            && Self.isForAPI(request) && allowed.origin(of: request) != nil
    }

    static let preflightResponse = Response(
        status: .noContent,
        headers: [
            .accessControlAllowMethods: "GET, POST, PUT, PATCH, DELETE",
            .accessControlAllowHeaders: "Authorization, Content-Type",
            .accessControlMaxAge: "\(preflightSeconds)",
        ]
    )

    /// Adds the header fields of a response.
    func add(to response: inout Response, for request: Request) {
        guard !allowed.serialized.isEmpty, Self.isForAPI(request) else { return }
        response.headers.append(HTTPField(name: .vary, value: "Origin"))
        guard let origin = allowed.origin(of: request) else { return }
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlExposeHeaders] = "Retry-After, X-Request-ID"
        if request.head.isFromSameSite { response.headers[.accessControlAllowCredentials] = "true" }
    }

    /// Logs the request of a page that may not read the response.
    func logRefusal(of request: Request, now: Date, _ logger: Logger) {
        guard let origin = request.headers[.origin], Self.isForAPI(request),
            allowed.origin(of: request) == nil,
            origin != origins.origin(of: request).serialized,
            let suppressedCount = refused.count(now: now)
        else { return }
        logger.notice(
            "origin refused",
            metadata: [
                "origin": "\(Excerpt.quoting(origin))", "suppressed": "\(suppressedCount)",
                "hint": "\(AllowedOrigins.settingName) does not list it",
            ]
        )
    }

    private static func isForAPI(_ request: Request) -> Bool {
        request.head.path?.hasPrefix("/api/") == true
    }
}

extension AllowedOrigins {
    /// The origin of the page that sent a request, if it is listed.
    func origin(of request: Request) -> String? {
        request.headers[.origin].flatMap { serialized.contains($0) ? $0 : nil }
    }

    /// Whether a listed page of the same site sent a request, which may then carry the session's cookie.
    func acceptsCookie(of request: Request) -> Bool {
        origin(of: request) != nil && request.head.isFromSameSite
    }
}
