import Accounts
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import SignInWithApple

/// An app's pending sign-in request.
struct KeptAppSignIn: Codable, Identifiable {
    /// The secret ID by which a browser tab finds its request.
    let id: String
    let request: AppSignInRequest
    let beganAt: Date
    /// A session that must not be used, because the app or the user requires another sign-in.
    var refusedSession: SessionID?

    /// Whether the user may confirm in this session.
    func accepts(_ session: Session) -> Bool {
        guard session.id != refusedSession else { return false }
        // Stores truncate times to microseconds; one second of tolerance admits no other session.
        return !request.needsSignIn || session.signedInAt >= beganAt.addingTimeInterval(-1)
    }
}

/// The cookies that keep apps' requests in the browser, one for each tab.
///
/// `SameSite=Lax` is enough: after the cross-site post of Apple's response, the browser is
/// redirected with a GET. The server stores nothing about a request before the user confirms it.
struct AppSignInCookies: Sendable {
    /// Bytes of a request's ID.
    private static let idByteCount = 16
    /// The time that the user has for the sign-in, which may include creating an account.
    static let lifetime: Duration = .seconds(30 * 60)
    /// The maximum number of pending requests in one browser.
    private static let maximumCount = 4

    private let tabs: TabCookies<KeptAppSignIn>
    private let time: TimeSource

    init(sealer: TokenSealer, site: SiteCookies, time: TimeSource) {
        tabs = TabCookies(
            prefix: "siwa-app-",
            purpose: "app sign-in",
            maximumCount: Self.maximumCount,
            lifetime: Self.lifetime,
            reach: .ownSite,
            sealer: sealer,
            site: site
        )
        self.time = time
    }

    /// Starts a request.
    func begin(_ request: AppSignInRequest, refusing session: SessionID?) -> KeptAppSignIn {
        KeptAppSignIn(
            id: SecureRandom.hexadecimal(byteCount: Self.idByteCount),
            request: request,
            beganAt: time.now,
            refusedSession: session
        )
    }

    /// Returns the header fields that set a new request's cookie, and delete the oldest requests of a browser with too
    /// many.
    func fields(beginning pending: KeptAppSignIn, in request: Request) throws -> [HTTPField] {
        try tabs.begin(pending, in: request.head)
    }

    /// Returns the header field that sets a request's cookie again.
    func field(_ pending: KeptAppSignIn, in request: Request) throws -> HTTPField {
        try tabs.field(pending, in: request.head)
    }

    /// Returns the header fields that delete a request's cookie.
    func cleared(_ id: String, in request: Request) -> [HTTPField] {
        tabs.cleared(id, in: request.head)
    }

    /// Returns the request of a tab; throws `app_request_unknown`.
    func pending(_ id: String?, in request: Request) throws(ServerError) -> KeptAppSignIn {
        guard let id, let pending = tabs.value(id, in: request.head),
            time.now < pending.beganAt.addingTimeInterval(TimeInterval(Self.lifetime.wholeSeconds))
        else { throw .appRequestUnknown }
        return pending
    }
}
