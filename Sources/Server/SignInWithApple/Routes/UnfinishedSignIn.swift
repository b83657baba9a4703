import AppleIdentity
import Foundation
import HTTPTypes
import SignedTokens

/// What the client of a failed sign-in keeps, encrypted, until the same user signs in.
///
/// Apple sends the name once and accepts a code once. Both are stored in cookies, and for an app without
/// cookies in one string of the problem document. The repeated request returns them to any replica; a
/// later sign-in returns the name.
final class UnfinishedSignIn {
    /// The steps that an attempt completed, and the time until which they may be used.
    struct Progress: Codable {
        var grant: UnverifiedGrant?
        var isNonceConsumed = false
        fileprivate var endsAt: Date
    }

    private static let separator: Character = "~"

    /// The name that the user entered at Apple, in this attempt or in a failed one.
    let name: PersonName?
    /// The steps that an attempt with this code completed.
    var progress: Progress

    private let nameCookie: SealedCookie
    private let progressCookie: SealedCookie

    /// Reads what an earlier attempt left.
    init(
        _ signIn: VerifiedSignIn,
        site: SiteCookies,
        in request: HTTPRequest,
        resumeToken: String?,
        sealer: TokenSealer,
        now: Date
    ) {
        let person = [signIn.identity.issuer, signIn.identity.userID.rawValue]
        let attempt = [signIn.identity.clientID.rawValue, signIn.code ?? signIn.identityToken]
        let parts = resumeToken?.split(separator: Self.separator).map(String.init) ?? []
        nameCookie = .name(of: person, site, sealer, in: request)
        progressCookie = .progress(of: person + attempt, site, sealer, in: request)
        name = signIn.name ?? nameCookie.value(or: parts)
        let saved: Progress? = progressCookie.value(or: parts)
        progress =
            saved.flatMap { $0.endsAt > now ? $0 : nil }
            ?? Progress(endsAt: Self.end(from: now))
    }

    private static func end(from now: Date) -> Date {
        now.addingTimeInterval(TimeInterval(RouteLimits.grantLifetime.wholeSeconds))
    }

    /// The string for a sign-in whose code was exchanged before its app sends the identity token.
    static func resumeToken(
        _ grant: UnverifiedGrant,
        _ name: PersonName?,
        _ sealer: TokenSealer,
        now: Date
    ) throws -> String {
        let token = grant.identityToken
        guard let claims = try? JSONObject(parsing: UnverifiedToken(token).unverifiedPayload),
            let issuer = claims["iss"]?.stringValue, let user = claims["sub"]?.stringValue
        else { throw SignInError(.appleAnswerUnreadable, hint: "the identity token is malformed") }
        let site = SiteCookies(isSecure: true)
        let attempt = [issuer, user, grant.clientID.rawValue, token]
        let progress = SealedCookie.progress(of: attempt, site, sealer)
        let nameCookie = SealedCookie.name(of: [issuer, user], site, sealer)
        let texts = [
            try name.map { try nameCookie.sealed($0.clipped) },
            try progress.sealed(Progress(grant: grant, endsAt: end(from: now))),
        ]
        return texts.compactMap(\.self).joined(separator: String(separator))
    }

    /// The cookie with the name of a sign-in that was rejected before its token was verified.
    static func field(
        keeping suggestion: SuggestedName,
        site: SiteCookies,
        sealer: TokenSealer
    ) throws -> HTTPField {
        let person = [suggestion.claimedIssuer, suggestion.claimedUser.rawValue]
        let cookie = SealedCookie.name(of: person, site, sealer)
        return cookie.field(try cookie.sealed(suggestion.name.clipped))
    }

    /// The cookies of a failed sign-in, and their content as one string.
    func saved() throws -> (cookies: [HTTPField], resumeToken: String?) {
        let name = try name.map { (try nameCookie.sealed($0.clipped), nameCookie) }
        let hasProgress = progress.grant != nil || progress.isNonceConsumed
        let progress = hasProgress ? (try progressCookie.sealed(progress), progressCookie) : nil
        let saved = [name, progress].compactMap(\.self)
        let token = saved.map(\.0).joined(separator: String(Self.separator))
        return (saved.map { $0.1.field($0.0) }, token.isEmpty ? nil : token)
    }

    /// The fields that delete the cookies of earlier attempts.
    var cleared: [HTTPField] {
        [nameCookie.cleared, progressCookie.cleared].compactMap(\.self)
    }
}

extension PersonName {
    /// As much of the name as fits into a cookie.
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
