import Foundation
import HTTPTypes

/// The encrypted cookies of one kind, of which each tab of a browser has one.
///
/// Their number is limited by their names. Requests that a browser sends at the same time do not have each other's
/// cookies, so they cannot count them.
package struct TabCookies<Value: Codable & Identifiable>: Sendable where Value.ID == String {
    /// A cookie in a request.
    private struct Tab {
        let slot: Int
        let id: String
        let sealed: String
        let byteCount: Int
    }

    /// The beginning of the names, before the number of the slot.
    private let prefix: String
    private let purpose: String
    /// The cookies of one browser; there is one name more, so that a new tab finds a free one.
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

    /// The field that sets the cookie of a tab, instead of the one that the request has.
    package func field(_ value: Value, in request: HTTPRequest) throws -> HTTPField {
        let id = value.id
        let tabs = tabs(in: request)
        // A random slot, because a tab that begins at the same moment chooses one, too.
        let free = Set(0...maximumCount).subtracting(tabs.map(\.slot)).randomElement()
        let slot = tabs.first { $0.id == id }?.slot ?? free ?? tabs.first?.slot ?? 0
        return field(slot, "\(id).\(try sealer.seal(json: value, for: context(id)))", lifetime)
    }

    /// The fields that set the cookie of a new tab, and delete the oldest ones that leave no room for it.
    package func begin(_ value: Value, in request: HTTPRequest) throws -> [HTTPField] {
        let field = try field(value, in: request)
        let pair = field.value.prefix { $0 != ";" }
        let others = tabs(in: request)
            .filter { !pair.hasPrefix(site.name(prefix) + "\($0.slot)=") }
        var room = RouteLimits.maximumTabCookiesByteCount - pair.utf8.count
        // Browsers send older cookies first.
        let stored = others.reversed().prefix(maximumCount - 1)
            .prefix { tab in
                room -= tab.byteCount
                return room >= 0
            }
        let surplus = others.dropLast(stored.count).prefix(maximumCount)
        return [field] + surplus.map { self.field($0.slot, "", .zero) }
    }

    /// The fields that delete the cookie of a tab.
    package func cleared(_ id: String, in request: HTTPRequest) -> [HTTPField] {
        Set(tabs(in: request).filter { $0.id == id }.map(\.slot)).map { field($0, "", .zero) }
    }

    /// Decrypts the cookie of a tab.
    package func value(_ id: String, in request: HTTPRequest) -> Value? {
        tabs(in: request).first { $0.id == id }
            .flatMap { sealer.open(json: $0.sealed, for: context(id)) }
    }

    /// The identifiers in a request's cookies.
    func ids(in request: HTTPRequest) -> [String] { tabs(in: request).map(\.id) }

    private func tabs(in request: HTTPRequest) -> [Tab] {
        let prefix = site.name(prefix)
        return request.cookies.compactMap { name, value in
            guard name.hasPrefix(prefix), let slot = Int(name.dropFirst(prefix.count)),
                (0...maximumCount).contains(slot),
                let parts = value.wholeMatch(of: /([0-9a-f]{16,32})\.(.+)/)?.output
            else { return nil }
            return Tab(
                slot: slot,
                id: String(parts.1),
                sealed: String(parts.2),
                byteCount: name.utf8.count + value.utf8.count
            )
        }
    }

    private func context(_ id: String) -> SealingContext {
        SealingContext(purpose: purpose, parts: [id])
    }

    private func field(_ slot: Int, _ value: String, _ lifetime: Duration) -> HTTPField {
        .setCookie(site.setCookie("\(prefix)\(slot)", value, lifetime: lifetime, reach: reach))
    }
}
