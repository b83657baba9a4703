import AppleIdentity
import Foundation
import HTTPTypes

/// The settings of the routes for sign-ins in a browser.
public struct WebFlow: Sendable {
    /// An additional host name of the server, with its own redirect URI.
    public struct Alias: Sendable {
        /// The redirect URI under this host name, registered at Apple as well.
        public var redirectURI: String
        /// Apple's base URL for browsers that use this host name.
        public var appleBrowserURL: URL

        /// Creates an alias.
        ///
        /// - Parameters:
        ///   - redirectURI: the redirect URI under this host name, registered at Apple as well.
        ///   - appleBrowserURL: Apple's base URL for browsers that use this host name.
        public init(redirectURI: String, appleBrowserURL: URL) {
            self.redirectURI = redirectURI
            self.appleBrowserURL = appleBrowserURL
        }
    }

    /// The Services ID; nil for the first of ``AppleSignIn/Configuration/servicesIDs``.
    public var servicesID: ClientID?
    /// The redirect URI to which Apple's page posts its response, exactly as registered at Apple.
    ///
    /// An absolute URL that ends with the callback's path, such as `/auth/apple/callback`. It must use
    /// https, or http on a loopback host, which the emulator permits.
    public var redirectURI: String { didSet { main = Origin(redirectURI: redirectURI) } }
    /// Additional host names of the server; the request's `Host` selects one of them.
    ///
    /// To set Apple's base URL for the main host name, add an alias with the main ``redirectURI``.
    public var aliases: [Alias] = [] {
        didSet {
            named = aliases.map {
                Origin(redirectURI: $0.redirectURI, appleBrowserURL: $0.appleBrowserURL)
            }
        }
    }
    /// Encrypts the cookies of pending sign-ins, and of failed ones without a ``NativeEndpoint/sealer``.
    ///
    /// Use the same keys on all replicas. If it is nil, the key is derived from the team's key, and the cookies last ten
    /// minutes. Apple sends a name once: with a sealer, a browser keeps the name of a failed sign-in for 30 days.
    public var sealer: TokenSealer?
    /// The requested scopes: `Scope.name`, `Scope.email`, both or none.
    public var scopes: [Scope]
    /// The path to which the browser is redirected when the user presses Cancel.
    public var cancelPath: String
    /// Purposes other than opening a session, such as linking an Apple Account to an account.
    ///
    /// Pass one as the query parameter `purpose` of the first route. Requests from other sites are rejected.
    /// ``VerifiedSignIn/purpose`` is then this purpose, and ``VerifiedSignIn/previousSessionToken`` the session that began
    /// the sign-in.
    public var purposes: Set<String> = []
    /// The name of your own session cookie, if you return ``SignInAnswer/response(_:)``; nil for the routes' cookie.
    ///
    /// It is read when a sign-in begins, because browsers send no `SameSite=Lax` cookie with the callback.
    /// ``VerifiedSignIn/previousSessionToken`` is then its value. A value must have 32 to 256 bytes.
    public var sessionCookieName: String?
    /// The texts and the style of the page that posts a callback again.
    public var signingInPage = CallbackForwarding.Appearance()
    /// Creates the page that posts a callback again; by default with ``signingInPage``.
    package var forwardingPage:
        (@Sendable (CallbackForwarding, HTTPRequest) async throws -> SignInResponse)?
    /// Whether a sign-in may end at a path of your server, which a link to the first route asks for; by default any may.
    public var isReturnPage: @Sendable (_ path: String) -> Bool = { _ in true }
    /// Whether Cancel leads to the page where the sign-in was to end, by its path; by default it leads to ``cancelPath``.
    public var keepsReturnPath: @Sendable (_ returnPath: String) -> Bool = { _ in false }
    /// The origin of the ``redirectURI``.
    private var main: Origin
    /// The origins of the ``aliases``.
    private var named: [Origin] = []

    /// Creates the settings.
    ///
    /// - Parameters:
    ///   - redirectURI: the redirect URI, exactly as registered at Apple.
    ///   - sealer: encrypts the cookies of pending and failed sign-ins; nil for a key derived from the team's.
    ///   - servicesID: the Services ID; nil for the first of the configuration.
    ///   - scopes: the requested scopes.
    ///   - cancelPath: the path to which the browser is redirected when the user presses Cancel.
    public init(
        redirectURI: String,
        sealer: TokenSealer? = nil,
        servicesID: ClientID? = nil,
        scopes: [Scope] = [.name, .email],
        cancelPath: String = "/"
    ) {
        self.servicesID = servicesID
        self.redirectURI = redirectURI
        main = Origin(redirectURI: redirectURI)
        self.sealer = sealer
        self.scopes = scopes
        self.cancelPath = cancelPath
    }
}

extension WebFlow {
    /// Creates the `Set-Cookie` field that signs a browser in, for a server with another way to sign in.
    ///
    /// Store the session first. Also add the fields of ``AppleSignIn/pendingSignIns(of:following:in:)``.
    ///
    /// - Parameters:
    ///   - session: the new session.
    ///   - request: the request that opens it; its host selects the cookie.
    /// - Returns: the field for the response, of the routes' own cookie.
    public func sessionCookie(_ session: WebSession, for request: HTTPRequest) -> HTTPField {
        session.cookie(cookies(for: request))
    }

    /// Creates the `Set-Cookie` field that prolongs the session cookie of a request.
    ///
    /// - Parameters:
    ///   - request: a request whose session your server has found.
    ///   - lifetime: how long the browser keeps the cookie from now on.
    /// - Returns: the field for the response; nil if the request has no session cookie of the routes.
    public func renewedSessionCookie(
        for request: HTTPRequest,
        lifetime: Duration
    ) -> HTTPField? {
        let cookies = cookies(for: request)
        // A Bearer token names another session than a cookie that came with it.
        guard let token = sessionToken(of: request), token == request.sessionCookieToken(cookies)
        else { return nil }
        return WebSession(token: token, lifetime: lifetime).cookie(cookies)
    }

    /// Returns the session token of a request: the Bearer token (RFC 6750) or the session cookie.
    ///
    /// The token is not verified. Look it up in your session store.
    ///
    /// - Parameter request: any request, of an app or a browser.
    /// - Returns: the token; nil if there is none or its length is not that of a token (32 to 256 bytes).
    public func sessionToken(of request: HTTPRequest) -> String? {
        request.sessionToken(cookies(for: request), cookieName: sessionCookieName)
    }

    /// Creates the `Set-Cookie` field that signs a browser out.
    ///
    /// It deletes the cookie ``sessionCookieName`` if that is set, which must then have the path `/` and no domain.
    ///
    /// - Parameter request: the request to sign out; its host selects the cookie.
    /// - Returns: the field for the response.
    public func clearedSessionCookie(for request: HTTPRequest) -> HTTPField {
        WebSession.clearedCookie(cookies(for: request), name: sessionCookieName)
    }

    func cookies(for request: HTTPRequest) -> SiteCookies {
        SiteCookies(isSecure: origin(of: request).site.isSecure)
    }

    func pendingCookies(
        of request: HTTPRequest,
        _ sealer: TokenSealer
    ) -> TabCookies<KeptSignIn> {
        TabCookies(sealer: sealer, site: cookies(for: request))
    }
}

extension AppleSignIn {
    /// Creates the `Set-Cookie` fields that name a new session to the pending sign-ins in other tabs.
    ///
    /// Use them if your server opens a session without Apple, such as with a password: add them to the response that
    /// sets the session's cookie. A pending sign-in then replaces this session. Without them it replaces the session
    /// that the browser had before.
    ///
    /// - Parameters:
    ///   - flow: the flow of the routes.
    ///   - session: the new session of the browser.
    ///   - request: the request that opens it.
    /// - Returns: the fields; none if no sign-in is pending.
    public func pendingSignIns(
        of flow: WebFlow,
        following session: WebSession,
        in request: HTTPRequest
    ) -> [HTTPField] {
        guard let sealer = flow.sealer ?? configuration.key?.sealer else { return [] }
        // Only the library's own types are encoded, which never fails.
        return (try? flow.pendingCookies(of: request, sealer).following(session, in: request)) ?? []
    }
}

extension WebFlow {
    /// A redirect URI of the server, with what depends on its host name.
    struct Origin: Sendable {
        let redirectURI: String
        /// Apple's base URL for browsers; nil for the one in ``AppleSignIn/Configuration``.
        let appleBrowserURL: URL?
        let site: SiteOrigin

        init(redirectURI: String, appleBrowserURL: URL? = nil) {
            (self.redirectURI, self.appleBrowserURL) = (redirectURI, appleBrowserURL)
            site = SiteOrigin(redirectURI)
        }
    }

    /// The aliases come first: one with the main redirect URI sets Apple's base URL for its browsers.
    var origins: [Origin] { named + [main] }

    /// The URL that the `Host` field names; the main one if it names none.
    func origin(of request: HTTPRequest) -> Origin {
        guard let authority = request.authority else { return main }
        return named.first { $0.site.matches(authority: authority) } ?? main
    }
}
