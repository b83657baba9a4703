import HTTPTypes
import Hummingbird

/// Refuses whoever is not a tool or a page of this machine's own control port.
///
/// A web page can make a browser send requests to loopback: under a name of its own that resolves
/// there (DNS rebinding, seen by `Host`) or across sites (seen by `Origin` and `Sec-Fetch-Site`).
struct LoopbackOnly<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let authority = request.head.authority, Self.isLoopback(authority) else {
            return ControlProblem.foreignHost.response
        }
        guard !Self.isCrossSite(request, authority: authority) else {
            return ControlProblem.crossSite.response
        }
        return try await next(request, context)
    }

    /// Whether an authority, with or without port, names this machine.
    static func isLoopback(_ authority: String) -> Bool {
        let host = host(of: authority).lowercased()
        if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    private static func host(of authority: String) -> Substring {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            return authority[...end]
        }
        return authority.prefix { $0 != ":" }
    }

    /// Only following a link is allowed from elsewhere: it changes nothing, and the page it came
    /// from cannot read the answer.
    private static func isCrossSite(_ request: Request, authority: String) -> Bool {
        if let origin = request.headers[.origin], origin != "http://\(authority)" { return true }
        guard let site = field("Sec-Fetch-Site", of: request) else { return false }
        if site == "same-origin" || site == "none" { return false }
        return request.method != .get || field("Sec-Fetch-Mode", of: request) != "navigate"
    }

    private static func field(_ text: String, of request: Request) -> String? {
        HTTPField.Name(text).flatMap { request.headers[$0] }
    }
}
