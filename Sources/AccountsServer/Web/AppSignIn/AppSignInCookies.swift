import Accounts
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import SignInWithApple

/// An app's pending sign-in request.
struct KeptAppSignIn: Codable {
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
    private static let prefix = "siwa-app-"
    /// Bytes of a request's ID.
    private static let idByteCount = 16
    /// The time that the user has for the sign-in, which may include creating an account.
    static let lifetime: Duration = .seconds(30 * 60)
    /// The maximum number of pending requests in one browser.
    static let maximumCount = 4

    let sealer: TokenSealer
    let site: SiteCookies
    let time: TimeSource

    /// Starts a request.
    func begin(_ request: AppSignInRequest, refusing session: SessionID?) -> KeptAppSignIn {
        KeptAppSignIn(
            id: SecureRandom.hexadecimal(byteCount: Self.idByteCount),
            request: request,
            beganAt: time.now,
            refusedSession: session
        )
    }

    /// Returns the header field that sets a request's cookie.
    func field(_ kept: KeptAppSignIn) throws -> HTTPField {
        let sealed = try sealer.seal(try JSONEncoder().encode(kept), for: Self.context(kept.id))
        return field(kept.id, sealed, lifetime: Self.lifetime)
    }

    /// Returns the header field that deletes a request's cookie.
    func cleared(_ id: String) -> HTTPField { field(id, "", lifetime: .zero) }

    /// Returns the request of a tab; throws `app_request_unknown`.
    func kept(_ id: String?, in request: Request) throws(ServerError) -> KeptAppSignIn {
        guard let id, Self.isID(id[...]),
            let value = request.cookies[site.name(Self.prefix) + id]?.value,
            let content = try? sealer.open(value, for: Self.context(id)),
            let kept = try? JSONDecoder().decode(KeptAppSignIn.self, from: content),
            time.now < kept.beganAt.addingTimeInterval(TimeInterval(Self.lifetime.wholeSeconds))
        else { throw .appRequestUnknown }
        return kept
    }

    /// Deletes the oldest requests above the limit, a few with each response.
    func surplus(in request: Request) -> [HTTPField] {
        let prefix = site.name(Self.prefix)
        // Browsers send older cookies first.
        return request.headers[values: .cookie]
            .flatMap { $0.split(separator: ";") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { $0.hasPrefix(prefix) }
            .compactMap { $0.dropFirst(prefix.count).split(separator: "=").first }
            .filter(Self.isID)
            .dropLast(Self.maximumCount - 1)
            .prefix(Self.maximumCount)
            .map { field(String($0), "", lifetime: .zero) }
    }

    private static func isID(_ text: Substring) -> Bool {
        text.wholeMatch(of: /[0-9a-f]{32}/) != nil
    }

    private static func context(_ id: String) -> SealingContext {
        SealingContext(purpose: "app sign-in", parts: [id])
    }

    private func field(_ id: String, _ value: String, lifetime: Duration) -> HTTPField {
        .setCookie(site.setCookie(Self.prefix + id, value, lifetime: lifetime))
    }
}
