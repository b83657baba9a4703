import Foundation
import HTTPTypes

/// The encrypted cookies of one kind, of which each tab of a browser has one.
package struct TabCookies: Sendable {
    /// The beginning of the names, before the tab's identifier.
    private let prefix: String
    private let purpose: String
    /// The cookies of one browser, and those that one response deletes.
    private let maximumCount: Int
    private let lifetime: Duration
    private let reach: SiteCookies.Reach
    private let sealer: TokenSealer
    private let site: SiteCookies

    package init(
        prefix: String,
        purpose: String,
        maximumCount: Int,
        lifetime: Duration,
        reach: SiteCookies.Reach,
        sealer: TokenSealer,
        site: SiteCookies
    ) {
        self.prefix = prefix
        self.purpose = purpose
        self.maximumCount = maximumCount
        self.lifetime = lifetime
        self.reach = reach
        self.sealer = sealer
        self.site = site
    }

    /// The field that sets the cookie of a tab.
    package func field(_ id: String, _ value: some Encodable) throws -> HTTPField {
        field(id, try sealer.seal(json: value, for: context(id)), lifetime)
    }

    /// The field that deletes the cookie of a tab.
    package func cleared(_ id: String) -> HTTPField { field(id, "", .zero) }

    /// Decrypts the cookie of a tab.
    package func value<Value: Decodable>(_ id: String, in request: HTTPRequest) -> Value? {
        request.cookie(site.name(prefix) + id).flatMap { sealer.open(json: $0, for: context(id)) }
    }

    /// The identifiers in a request's cookies; browsers send older cookies first.
    func ids(in request: HTTPRequest) -> [String] { sizes(in: request).map(\.id) }

    /// The fields that delete the oldest cookies that leave no room for a new one, a few in each response.
    package func surplus(in request: HTTPRequest, besides new: HTTPField) -> [HTTPField] {
        var room = RouteLimits.maximumTabCookiesByteCount
        room -= new.value.utf8.prefix { $0 != UInt8(ascii: ";") }.count
        let sizes = sizes(in: request)
        let kept = sizes.reversed().prefix(maximumCount - 1)
            .prefix { _, byteCount in
                room -= byteCount
                return room >= 0
            }
        return sizes.dropLast(kept.count)
            .prefix(maximumCount)
            .map { cleared($0.id) }
    }

    private func sizes(in request: HTTPRequest) -> [(id: String, byteCount: Int)] {
        let prefix = site.name(prefix)
        return request.cookies.compactMap { name, value in
            let id = name.dropFirst(prefix.count)
            guard name.hasPrefix(prefix), id.wholeMatch(of: /[0-9a-f]{16,32}/) != nil else {
                return nil
            }
            return (String(id), name.utf8.count + value.utf8.count)
        }
    }

    private func context(_ id: String) -> SealingContext {
        SealingContext(purpose: purpose, parts: [id])
    }

    private func field(_ id: String, _ value: String, _ lifetime: Duration) -> HTTPField {
        .setCookie(site.setCookie(prefix + id, value, lifetime: lifetime, reach: reach))
    }
}
