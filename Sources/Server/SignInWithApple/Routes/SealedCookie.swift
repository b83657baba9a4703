import HTTPTypes

/// A cookie whose content only servers with the same key can decrypt.
struct SealedCookie {
    private let name: String
    private let context: SealingContext
    private let lifetime: Duration
    private let sealer: TokenSealer
    private let site: SiteCookies
    /// The content in the request.
    private let received: String?

    /// The cookie of a user's name; only a verified token of that user finds it.
    static func name(
        of person: [String],
        _ site: SiteCookies,
        _ sealer: TokenSealer,
        in request: HTTPRequest? = nil
    ) -> SealedCookie {
        let context = SealingContext(purpose: "name", parts: person)
        return SealedCookie("siwa-name-", context, sealer.nameLifetime, sealer, site, request)
    }

    /// The cookie of the steps that a sign-in completed, found by its user, client and code.
    static func progress(
        of parts: [String],
        _ site: SiteCookies,
        _ sealer: TokenSealer,
        in request: HTTPRequest? = nil
    ) -> SealedCookie {
        let context = SealingContext(purpose: "redeemed code", parts: parts)
        let lifetime = RouteLimits.grantLifetime
        return SealedCookie("siwa-redeemed-", context, lifetime, sealer, site, request)
    }

    private init(
        _ prefix: String,
        _ context: SealingContext,
        _ lifetime: Duration,
        _ sealer: TokenSealer,
        _ site: SiteCookies,
        _ request: HTTPRequest?
    ) {
        let name = prefix + context.tag
        (self.name, self.context, self.lifetime) = (name, context, lifetime)
        (self.sealer, self.site) = (sealer, site)
        received = request?.cookie(site.name(name))
    }

    /// The content of the request's cookie, or of the string that was encrypted for it.
    func value<Value: Decodable>(or texts: [String]) -> Value? {
        (texts + [received].compactMap(\.self)).lazy
            .compactMap { sealer.open(json: $0, for: context) }
            .first
    }

    func sealed(_ value: some Encodable) throws -> String {
        try sealer.seal(json: value, for: context)
    }

    func field(_ sealed: String) -> HTTPField { field(sealed, lifetime: lifetime) }

    /// The field that deletes the request's cookie.
    var cleared: HTTPField? { received.map { _ in field("", lifetime: .zero) } }

    private func field(_ value: String, lifetime: Duration) -> HTTPField {
        .setCookie(site.setCookie(name, value, lifetime: lifetime, reach: .everySite))
    }
}
