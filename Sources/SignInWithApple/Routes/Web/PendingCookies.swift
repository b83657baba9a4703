import AppleIdentity
import Foundation
import HTTPTypes

/// A pending sign-in with what the routes need when the browser comes back.
struct KeptSignIn: Codable {
    let pending: PendingWebSignIn
    let returnPath: String
    /// Stored here because the callback comes from another site, without the session's cookie.
    var previousSessionToken: String?
    /// The purpose of the sign-in; nil for one that opens a session.
    var purpose: String?
}

/// The cookies that bind pending sign-ins to the browser that began them, one for each tab.
///
/// The callback is a POST from another site.
struct PendingCookies {
    private static let prefix = "siwa-pending-"

    let sealer: TokenSealer
    let site: SiteCookies

    /// The field that sets the cookie of a pending sign-in.
    func field(_ kept: KeptSignIn) throws -> HTTPField {
        let id = kept.pending.id
        let sealed = try sealer.seal(try JSONEncoder().encode(kept), for: Self.context(id))
        return field(id, sealed, lifetime: RouteLimits.pendingLifetime)
    }

    /// The field that deletes the cookie of a pending sign-in.
    func cleared(_ kept: KeptSignIn) -> HTTPField { field(kept.pending.id, "", lifetime: .zero) }

    /// Decrypts the cookie with this identifier.
    func kept(_ id: String, in request: HTTPRequest) -> KeptSignIn? {
        request.cookie(site.name(Self.prefix) + id)
            .flatMap { try? sealer.open($0, for: Self.context(id)) }
            .flatMap { try? JSONDecoder().decode(KeptSignIn.self, from: $0) }
    }

    /// The fields that delete the oldest sign-ins of a browser with too many, a few in each response.
    func surplus(in request: HTTPRequest) -> [HTTPField] {
        // Browsers send older cookies first.
        ids(in: request).dropLast(RouteLimits.maximumPendingCount - 1)
            .prefix(RouteLimits.maximumPendingCount)
            .map { field($0, "", lifetime: .zero) }
    }

    /// Writes the browser's new session into the sign-ins that other tabs have begun.
    ///
    /// The last of them that ends then replaces it, so one browser has one session.
    ///
    /// A sign-in with a purpose keeps the session that began it, and ends with it: it is about that account.
    func following(
        _ session: SignInSession,
        besides finished: KeptSignIn? = nil,
        in request: HTTPRequest
    ) throws -> [HTTPField] {
        try ids(in: request).suffix(RouteLimits.maximumPendingCount)
            .filter { $0 != finished?.pending.id }
            .compactMap { kept($0, in: request) }
            .filter { $0.purpose == nil }
            .map { other in
                var other = other
                other.previousSessionToken = session.token
                return try field(other)
            }
    }

    /// The identifiers of the pending sign-ins in the request's cookies.
    func ids(in request: HTTPRequest) -> [String] {
        let prefix = site.name(Self.prefix)
        let ids = request.cookies.map(\.name).filter { $0.hasPrefix(prefix) }
            .map { $0.dropFirst(prefix.count) }
        return ids.filter { $0.wholeMatch(of: /[0-9a-f]{16}/) != nil }.map { String($0) }
    }

    private static func context(_ id: String) -> SealingContext {
        SealingContext(purpose: "pending web sign-in", parts: [id])
    }

    private func field(_ id: String, _ value: String, lifetime: Duration) -> HTTPField {
        let name = Self.prefix + id
        return .setCookie(site.setCookie(name, value, lifetime: lifetime, reach: .everySite))
    }
}
