import Accounts
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import SignInWithApple

/// A request of an app while its person signs in.
struct KeptAppSignIn: Codable {
    /// The secret name by which one tab finds its request.
    let id: String
    let request: AppSignInRequest
    let beganAt: Date
    /// A session that must not be used: the app, or the person, wants another sign-in.
    var refusedSession: SessionID?

    /// Whether the person may confirm in this session.
    func accepts(_ session: Session) -> Bool {
        guard session.id != refusedSession else { return false }
        // Stores cut times to whole microseconds: a second more lets nobody else in.
        return !request.needsSignIn || session.signedInAt >= beganAt.addingTimeInterval(-1)
    }
}

/// The cookies that keep apps' requests in the browser that was sent here, one for each tab.
///
/// Lax is enough: after Apple's answer, posted from another site, the browser is sent on with a GET. Nothing about
/// a request is stored on the server before its person has confirmed.
struct AppSignInCookies: Sendable {
    private static let prefix = "siwa-app-"
    /// Bytes of a request's name.
    private static let idByteCount = 16
    /// How long a person may take, in seconds: they may have to make an account first.
    static let lifetime: Duration = .seconds(30 * 60)
    /// Requests one browser may have under way.
    static let maximumCount = 4

    let sealer: TokenSealer
    let site: SiteCookies
    let time: TimeSource

    /// A request that begins now.
    func begin(_ request: AppSignInRequest, refusing session: SessionID?) -> KeptAppSignIn {
        KeptAppSignIn(
            id: SecureRandom.hexadecimal(byteCount: Self.idByteCount),
            request: request,
            beganAt: time.now,
            refusedSession: session
        )
    }

    /// The field that keeps a request.
    func field(_ kept: KeptAppSignIn) throws -> HTTPField {
        let sealed = try sealer.seal(try JSONEncoder().encode(kept), for: Self.context(kept.id))
        return field(kept.id, sealed, lifetime: Self.lifetime)
    }

    /// The field that ends a request.
    func cleared(_ id: String) -> HTTPField { field(id, "", lifetime: .zero) }

    /// Finds the request that a tab names; throws `app_request_unknown`.
    func kept(_ id: String?, in request: Request) throws(ServerError) -> KeptAppSignIn {
        guard let id, Self.isID(id[...]),
            let value = request.cookies[site.name(Self.prefix) + id]?.value,
            let content = try? sealer.open(value, for: Self.context(id)),
            let kept = try? JSONDecoder().decode(KeptAppSignIn.self, from: content),
            time.now < kept.beganAt.addingTimeInterval(TimeInterval(Self.lifetime.wholeSeconds))
        else { throw .appRequestUnknown }
        return kept
    }

    /// Ends requests that a browser has too many of, a few with each answer.
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
