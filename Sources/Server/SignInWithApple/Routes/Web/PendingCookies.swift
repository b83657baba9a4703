import AppleIdentity
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
    private let tabs: TabCookies

    init(sealer: TokenSealer, site: SiteCookies) {
        tabs = TabCookies(
            prefix: "siwa-pending-",
            purpose: "pending web sign-in",
            maximumCount: RouteLimits.maximumPendingCount,
            lifetime: RouteLimits.pendingLifetime,
            reach: .everySite,
            sealer: sealer,
            site: site
        )
    }

    /// The field that sets the cookie of a pending sign-in.
    func field(_ stored: KeptSignIn, in request: HTTPRequest) throws -> HTTPField {
        try tabs.field(stored.pending.id, stored, in: request)
    }

    /// The fields that delete the cookie of a pending sign-in.
    func cleared(_ stored: KeptSignIn, in request: HTTPRequest) -> [HTTPField] {
        tabs.cleared(stored.pending.id, in: request)
    }

    /// Decrypts the cookie with this identifier.
    func stored(_ id: String, in request: HTTPRequest) -> KeptSignIn? {
        tabs.value(id, in: request)
    }

    /// The fields that begin a sign-in, and delete the oldest ones of a browser with too many.
    func begin(_ stored: KeptSignIn, in request: HTTPRequest) throws -> [HTTPField] {
        try tabs.begin(stored.pending.id, stored, in: request)
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
        try tabs.ids(in: request).suffix(RouteLimits.maximumPendingCount)
            .filter { $0 != finished?.pending.id }
            .compactMap { stored($0, in: request) }
            .filter { $0.purpose == nil }
            .map { other in
                var other = other
                other.previousSessionToken = session.token
                return try field(other, in: request)
            }
    }

    /// Whether the request has the cookie of a pending sign-in.
    func isPart(of request: HTTPRequest) -> Bool { !tabs.ids(in: request).isEmpty }
}
