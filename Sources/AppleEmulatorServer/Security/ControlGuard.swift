import HTTPTypes
import Hummingbird

/// Refuses whoever is not a tool or a page of the control port's own.
///
/// A web page can make a browser send requests to loopback: under a name of its own that resolves
/// there (DNS rebinding, seen by `Host`) or across sites (seen by `Origin` and `Sec-Fetch-Site`).
struct ControlGuard<Context: RequestContext>: RouterMiddleware {
    private let allowedHosts: Set<String>

    init(allowedHosts: [String]) {
        self.allowedHosts = Set(
            allowedHosts.map { $0.contains(":") ? "[\($0)]" : $0 }.map { $0.lowercased() }
        )
    }

    @concurrent
    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let authority = request.head.authority, isAllowed(authority) else {
            return ControlProblem.unknownHost.response
        }
        guard !Self.isCrossSite(request, authority: authority) else {
            return ControlProblem.crossSite.response
        }
        return try await next(request, context)
    }

    private func isAllowed(_ authority: String) -> Bool {
        Loopback.contains(authority)
            || allowedHosts.contains(Loopback.host(of: authority).lowercased())
    }

    /// Only following a link is allowed from elsewhere: it changes nothing, and the page it came
    /// from cannot read the answer.
    private static func isCrossSite(_ request: Request, authority: String) -> Bool {
        if let origin = request.headers[.origin], origin != "http://\(authority)" { return true }
        let metadata = FetchMetadata(request.headers)
        guard let site = metadata.site, site != "same-origin", site != "none" else { return false }
        return request.method != .get || !metadata.isNavigation
    }
}

/// The addresses and names that lead to this machine from this machine alone.
package enum Loopback {
    /// What a port listens on unless told otherwise.
    package static let address = "127.0.0.1"

    /// Whether an authority, with or without port, names this machine.
    package static func contains(_ authority: String) -> Bool {
        let host = host(of: authority).lowercased()
        if ["localhost", "[::1]", "::1"].contains(host) || host.hasSuffix(".localhost") {
            return true
        }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// The host of an authority, an IPv6 address with its brackets.
    static func host(of authority: String) -> Substring {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            return authority[...end]
        }
        return authority == "::1" ? authority[...] : authority.prefix { $0 != ":" }
    }
}

/// What a browser tells of the page that made it send a request; nothing from other programs.
///
/// Source: [Fetch Metadata Request Headers](https://www.w3.org/TR/fetch-metadata/)
struct FetchMetadata {
    /// `same-origin`, `same-site`, `cross-site`, or `none` for what the person typed or opened.
    let site: String?
    private let mode: String?
    private let destination: String?

    init(_ fields: HTTPFields) {
        func value(_ name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }
        site = value("Sec-Fetch-Site")
        mode = value("Sec-Fetch-Mode")
        destination = value("Sec-Fetch-Dest")
    }

    /// Whether it leads to a page, in the window or in a frame.
    var isNavigation: Bool { mode == "navigate" }

    /// Whether a page of another site sends it without leading the person there.
    var isHiddenFromPerson: Bool {
        guard site == "cross-site" else { return false }
        return !isNavigation || !["document", nil].contains(destination)
    }
}
