import AppleIdentity
import Foundation
import HTTPTypes

/// What the client of a failed sign-in keeps, sealed, until the same person signs in.
///
/// Apple tells the name once and redeems a code once. Both go into cookies, and for an app without cookies
/// into one text in the problem document. They come back with the repeated request, whichever replica gets
/// it; the name also with a later sign-in.
struct UnfinishedSignIn {
    /// How far the attempt came, and until when that may be used.
    struct Progress: Codable {
        var grant: UnverifiedGrant?
        var isNonceConsumed = false
        fileprivate var endsAt: Date
    }

    private static let separator: Character = "~"

    /// What the person wrote at Apple's page, now or at an attempt that failed.
    let name: PersonName?
    /// How far an attempt with this code came.
    var progress: Progress

    private let nameCookie: SealedCookie
    private let progressCookie: SealedCookie
    private let isKnown: (name: Bool, progress: Bool)

    /// Finds what an earlier attempt left.
    init(
        _ signIn: VerifiedSignIn,
        site: SiteCookies,
        in request: HTTPRequest,
        resumeToken: String?,
        sealer: TokenSealer,
        now: Date
    ) {
        let person = [signIn.identity.issuer, signIn.identity.user.rawValue]
        let attempt = [signIn.identity.clientID.rawValue, signIn.code ?? signIn.identityToken]
        let parts = resumeToken?.split(separator: Self.separator).map(String.init) ?? []
        let nameCookie = SealedCookie.name(of: person, site: site, sealer: sealer)
        let progressCookie = SealedCookie(
            prefix: "siwa-redeemed-",
            context: SealingContext(purpose: "redeemed code", parts: person + attempt),
            lifetime: RouteLimits.grantLifetime,
            sealer: sealer,
            site: site
        )
        name = signIn.name ?? nameCookie.value(in: request, or: parts)
        let kept: Progress? = progressCookie.value(in: request, or: parts)
        progress =
            kept.flatMap { $0.endsAt > now ? $0 : nil }
            ?? Progress(
                endsAt: now.addingTimeInterval(TimeInterval(RouteLimits.grantLifetime.wholeSeconds))
            )
        self.nameCookie = nameCookie
        self.progressCookie = progressCookie
        isKnown = (nameCookie.isPart(of: request), progressCookie.isPart(of: request))
    }

    /// The cookie that keeps the name of a sign-in which was refused before its token was verified.
    static func field(
        keeping suggestion: SuggestedName,
        site: SiteCookies,
        sealer: TokenSealer
    ) throws -> HTTPField {
        let person = [suggestion.issuer, suggestion.user.rawValue]
        let cookie = SealedCookie.name(of: person, site: site, sealer: sealer)
        return cookie.field(try cookie.sealed(suggestion.name.clipped))
    }

    /// The cookies of a sign-in that failed, and the same as one text.
    func kept() throws -> (cookies: [HTTPField], resumeToken: String?) {
        let name = try name.map { ($0.clipped, nameCookie) }.map { (try $0.1.sealed($0.0), $0.1) }
        let hasProgress = progress.grant != nil || progress.isNonceConsumed
        let progress = hasProgress ? (try progressCookie.sealed(progress), progressCookie) : nil
        let kept = [name, progress].compactMap(\.self)
        let token = kept.map(\.0).joined(separator: String(Self.separator))
        return (kept.map { $0.1.field($0.0) }, token.isEmpty ? nil : token)
    }

    /// What ends the cookies of earlier attempts.
    var cleared: [HTTPField] {
        [isKnown.name ? nameCookie.cleared : nil, isKnown.progress ? progressCookie.cleared : nil]
            .compactMap(\.self)
    }
}

/// A cookie named after what it is about, whose content only servers with the same key can read.
private struct SealedCookie {
    let prefix: String
    let context: SealingContext
    let lifetime: Duration
    let sealer: TokenSealer
    let site: SiteCookies

    /// The cookie of a person's name; only a verified token of that person finds it.
    static func name(of person: [String], site: SiteCookies, sealer: TokenSealer) -> SealedCookie {
        SealedCookie(
            prefix: "siwa-name-",
            context: SealingContext(purpose: "name", parts: person),
            lifetime: RouteLimits.nameLifetime,
            sealer: sealer,
            site: site
        )
    }

    private var name: String { prefix + context.tag }

    /// The content, when the request brings the cookie, or one of the texts was sealed for it.
    func value<Value: Decodable>(in request: HTTPRequest, or texts: [String]) -> Value? {
        (texts + [cookie(in: request)].compactMap(\.self)).lazy
            .compactMap { try? sealer.open($0, for: context) }
            .compactMap { try? JSONDecoder().decode(Value.self, from: $0) }
            .first
    }

    func isPart(of request: HTTPRequest) -> Bool { cookie(in: request) != nil }

    /// Most requests bring no cookie at all: then even its name need not be known.
    private func cookie(in request: HTTPRequest) -> String? {
        request.headerFields[.cookie] == nil ? nil : request.cookie(site.name(name))
    }

    func sealed(_ value: some Encodable) throws -> String {
        try sealer.seal(try JSONEncoder().encode(value), for: context)
    }

    func field(_ sealed: String) -> HTTPField { field(sealed, lifetime: lifetime) }

    var cleared: HTTPField { field("", lifetime: .zero) }

    private func field(_ value: String, lifetime: Duration) -> HTTPField {
        .setCookie(site.setCookie(name, value, lifetime: lifetime, reach: .everySite))
    }
}

extension PersonName {
    /// As much of the name as a cookie can hold.
    fileprivate var clipped: PersonName {
        PersonName(givenName: givenName.map(Self.clip), familyName: familyName.map(Self.clip))
    }

    private static func clip(_ text: String) -> String {
        var byteCount = 0
        return String(
            text.prefix { character in
                byteCount += character.utf8.count
                return byteCount <= RouteLimits.maximumKeptNamePartByteCount
            }
        )
    }
}
