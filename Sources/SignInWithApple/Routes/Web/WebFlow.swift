import AppleIdentity
import Foundation
import HTTPTypes

/// What signing in with a browser needs.
public struct WebFlow: Sendable {
    /// A name by which browsers reach the server, besides the main one.
    public struct Alias: Sendable {
        /// Where Apple makes the browser post its answer when it used this name.
        public var redirectURI: String
        /// Where browsers that use this name find Apple.
        public var appleBrowserURL: URL

        /// Names another address of the server.
        ///
        /// - Parameters:
        ///   - redirectURI: the redirect address under this name, registered at Apple as well.
        ///   - appleBrowserURL: where browsers that use this name find Apple.
        public init(redirectURI: String, appleBrowserURL: URL) {
            self.redirectURI = redirectURI
            self.appleBrowserURL = appleBrowserURL
        }
    }

    /// The Services ID, one of the facade's clients.
    public var servicesID: ClientID
    /// Where Apple makes the browser post its answer, exactly as registered at Apple.
    ///
    /// A whole address that ends where the callback is mounted, `/auth/apple/callback`; https, or
    /// http on a name of this machine, which an emulated Apple allows.
    public var redirectURI: String
    /// Names by which browsers reach the server; the request's `Host` picks one of them.
    ///
    /// One with the main ``redirectURI`` says where browsers that use the main name find Apple.
    public var aliases: [Alias] = []
    /// Seals what a browser keeps while it is at Apple; all replicas need the same keys.
    public var sealer: TokenSealer
    /// What the person is asked to share: name, address, both or nothing.
    public var scopes: [Scope]
    /// The path of your own page to which a person returns who pressed Cancel.
    public var cancelPath: String
    /// What else a sign-in may be for than to open a session, such as linking an Apple identity to an account.
    ///
    /// The begin route takes one as `purpose`, from pages of your own only, and ``VerifiedSignIn/purpose`` tells it.
    public var purposes: Set<String> = []
    /// The cookie of your framework's own sessions, if you answer with ``SignInAnswer/response(_:)``; nil for the routes' own cookie.
    ///
    /// It is read when a sign-in begins: browsers send no `SameSite=Lax` cookie when Apple's page posts the answer.
    /// ``VerifiedSignIn/previousSessionToken`` is then its value, of 32 to 256 bytes.
    public var sessionCookieName: String?
    /// Draws the page that posts a callback once more; by default a plain one in English.
    package var forwardingPage:
        (@Sendable (CallbackForwarding, HTTPRequest) async throws -> SignInResponse)?
    /// Whether a sign-in may end at a path of the server.
    package var isReturnPage: @Sendable (_ path: String) -> Bool = { _ in true }
    /// Whether a person who pressed Cancel returns to the page where the sign-in was to end, by its path.
    package var keepsReturnPath: @Sendable (_ returnPath: String) -> Bool = { _ in false }

    /// Describes the flow.
    ///
    /// - Parameters:
    ///   - servicesID: the Services ID.
    ///   - redirectURI: where Apple makes the browser post its answer, as registered at Apple.
    ///   - sealer: seals what a browser keeps while it is at Apple.
    ///   - scopes: what the person is asked to share.
    ///   - cancelPath: the path to which a person returns who pressed Cancel.
    public init(
        servicesID: ClientID,
        redirectURI: String,
        sealer: TokenSealer,
        scopes: [Scope] = [.name, .email],
        cancelPath: String = "/"
    ) {
        self.servicesID = servicesID
        self.redirectURI = redirectURI
        self.sealer = sealer
        self.scopes = scopes
        self.cancelPath = cancelPath
    }
}

extension WebFlow {
    /// Has the sign-ins that the browser's other tabs have begun at Apple replace a session that was opened
    /// without Apple, such as by a password.
    ///
    /// Add the fields to the answer that brings the session's own cookie. Without them a tab that comes back from
    /// Apple later would end the session that the browser had before, and leave yours alive.
    ///
    /// - Parameters:
    ///   - session: the session that the browser gets.
    ///   - request: the request that opens it.
    /// - Returns: `Set-Cookie` fields; none when no sign-in is pending.
    /// - Throws: an error of the sealer, which the cipher gives no reason to expect.
    public func pendingSignIns(
        following session: SignInSession,
        in request: HTTPRequest
    ) throws -> [HTTPField] {
        try pendingCookies(of: request).following(session, in: request)
    }

    /// The token of a ``SignInSession`` that came along: an app's Bearer token, or a browser's cookie.
    ///
    /// It is only what the client says; look it up among the sessions you opened.
    ///
    /// - Parameter request: the request.
    /// - Returns: the token; nil when there is none.
    public func sessionToken(of request: HTTPRequest) -> String? {
        request.sessionToken(cookies(for: request), cookieName: sessionCookieName)
    }

    /// The `Set-Cookie` field that signs a browser out.
    ///
    /// - Parameter request: the request that asks for it.
    /// - Returns: the field for the answer.
    public func clearedSessionCookie(for request: HTTPRequest) -> HTTPField {
        SignInSession.clearedCookie(cookies(for: request))
    }

    func cookies(for request: HTTPRequest) -> SiteCookies {
        SiteCookies(at: origin(of: request).redirectURI)
    }

    func pendingCookies(of request: HTTPRequest) -> PendingCookies {
        PendingCookies(sealer: sealer, site: cookies(for: request))
    }
}

extension WebFlow {
    /// An address of the server, read from its redirect address.
    struct Origin {
        let redirectURI: String
        /// Where browsers find Apple; nil for the facade's own setting.
        let appleBrowserURL: URL?

        private var components: URLComponents? { URLComponents(string: redirectURI) }

        /// Scheme, host and port, as browsers write them into the `Origin` field.
        var serialized: String { "\(components?.scheme?.lowercased() ?? "")://\(authority)" }

        private var authority: String {
            let port = components?.port.flatMap { $0 == defaultPort ? nil : ":\($0)" } ?? ""
            return (components?.host?.lowercased() ?? "") + port
        }

        private var defaultPort: Int { components?.scheme?.lowercased() == "http" ? 80 : 443 }

        func matches(_ other: String) -> Bool {
            [authority, "\(authority):\(defaultPort)"].contains(other.lowercased())
        }
    }

    var main: Origin { Origin(redirectURI: redirectURI, appleBrowserURL: nil) }

    /// The aliases come first: one with the main address tells where Apple is for its browsers.
    var origins: [Origin] {
        let named = aliases.map {
            Origin(redirectURI: $0.redirectURI, appleBrowserURL: $0.appleBrowserURL)
        }
        return named + [main]
    }

    /// The address that the `Host` field names; the main one when it names none.
    func origin(of request: HTTPRequest) -> Origin {
        guard let authority = request.authority else { return main }
        return origins.first { $0.matches(authority) } ?? main
    }
}
