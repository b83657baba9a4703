import AppleIdentity
import HTTPTypes

/// A pending sign-in with what the routes need when the browser comes back.
struct KeptSignIn: Codable, Identifiable {
    let pending: PendingWebSignIn
    let returnPath: String
    /// Stored here because the callback comes from another site, without the session's cookie.
    var previousSessionToken: String?
    /// The purpose of the sign-in; nil for one that opens a session.
    var purpose: String?

    var id: String { pending.id }
}

extension TabCookies<KeptSignIn> {
    /// The cookies that bind pending sign-ins to the browser that began them.
    ///
    /// They reach every site, because the callback is a POST from another site.
    init(sealer: TokenSealer, site: SiteCookies) {
        self.init(
            prefix: "siwa-pending-",
            purpose: "pending web sign-in",
            maximumCount: RouteLimits.maximumPendingCount,
            lifetime: sealer.pendingLifetime,
            reach: .everySite,
            sealer: sealer,
            site: site
        )
    }

    /// Writes the browser's new session into the sign-ins that other tabs have begun.
    ///
    /// The last of them that ends then replaces it, so one browser has one session.
    ///
    /// A sign-in with a purpose keeps the session that began it, and ends with it: it is about that account.
    func following(
        _ session: WebSession,
        besides finished: KeptSignIn? = nil,
        in request: HTTPRequest
    ) throws -> [HTTPField] {
        try ids(in: request).suffix(RouteLimits.maximumPendingCount)
            .filter { $0 != finished?.id }
            .compactMap { value($0, in: request) }
            .filter { $0.purpose == nil }
            .map { other in
                var other = other
                other.previousSessionToken = session.token
                return try field(other, in: request)
            }
    }
}
