import AppleIdentity
import HTTPTypes
import Hummingbird

/// Refuses requests that web pages of other sites make a browser send.
///
/// Such a page reaches loopback through its own name that resolves there (DNS rebinding, visible
/// in `Host`) or across sites (visible in `Origin` and `Sec-Fetch-Site`).
struct ControlGuard {
    private let allowedHosts: Set<String>

    init(allowedHosts: [String]) {
        self.allowedHosts = Set(
            allowedHosts.map { $0.contains(":") ? "[\($0)]" : $0 }.map { $0.lowercased() }
        )
    }

    func check(_ request: Request) throws(ControlProblem) {
        guard let authority = request.head.authority, isAllowed(authority) else {
            throw .unknownHost
        }
        guard !isCrossSite(request, authority: authority) else { throw .crossSite }
    }

    private func isAllowed(_ authority: String) -> Bool {
        guard !authority.contains("@") else { return false }
        return Loopback.contains(authority)
            || allowedHosts.contains(Loopback.host(of: authority).lowercased())
    }

    /// Other sites may only link here: a link changes nothing, and they cannot read the response.
    private func isCrossSite(_ request: Request, authority: String) -> Bool {
        if let origin = request.headers[.origin], !isOwn(origin, authority: authority) {
            return true
        }
        let metadata = FetchMetadata(request.headers)
        guard let site = metadata.site, site != "same-origin", site != "none" else { return false }
        return request.method != .get || !metadata.isNavigation
    }

    /// Whether an origin is this port's: a proxy may end TLS before it on a usual port, and replace
    /// its host by a loopback name.
    private func isOwn(_ origin: String, authority: String) -> Bool {
        guard let match = origin.wholeMatch(of: /https?:\/\/(.+)/) else { return false }
        let own = String(match.1)
        let host = Loopback.host(of: own)
        // Other servers of a developer's machine have the same host and other ports.
        return own == authority
            || !Loopback.contains(own) && allowedHosts.contains(host.lowercased())
                && ["", ":80", ":443"].contains(own.dropFirst(host.count))
    }
}

/// The addresses and names that only this machine can reach.
package enum Loopback {
    /// The address that a port listens on by default.
    package static let address = "127.0.0.1"

    /// Whether an authority, with or without port, names this machine.
    package static func contains(_ authority: String) -> Bool {
        let host = String(host(of: authority))
        if LoopbackHost.contains(host) { return true }
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

/// What a browser reports about the page that caused a request; empty for other programs.
///
/// Source: [Fetch Metadata Request Headers](https://www.w3.org/TR/fetch-metadata/)
struct FetchMetadata {
    /// `same-origin`, `same-site`, `cross-site`, or `none` for a URL that the user typed or opened.
    let site: String?
    private let mode: String?

    init(_ fields: HTTPFields) {
        func value(_ name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }
        site = value("Sec-Fetch-Site")
        mode = value("Sec-Fetch-Mode")
    }

    /// Whether the request opens a page, in the window or in a frame.
    var isNavigation: Bool { mode == "navigate" }
}
