import Accounts
import HTTPTypes
import Hummingbird
import SignInWithApple
import SignInWithAppleHummingbird

/// The routes of the library for the sign-in in browsers and apps, and for Apple's notifications.
struct AppleRoutes: Sendable {
    let server: ServerParts

    func add(to router: some RouterMethods<ServerContext>) throws {
        if web == nil {
            router.on("/sign-in/apple", method: .get, use: unavailable(.webSignInUnavailable))
        }
        let ownHost = router.group().add(middleware: RedirectToPublicHost(origins: server.origins))
        try ownHost.signInWithApple(
            server.apple,
            at: WebPath.signInApple,
            web: web,
            native: native,
            beforeExchange: beforeExchange,
            onRefusal: onRefusal,
            onRepeatedCallback: onRepeatedCallback,
            onSignIn: onSignIn
        )
        var link = native
        link.path = Self.linkPath
        link.method = .put
        try router.group().add(middleware: RequireSession(routes: self)).signInWithApple(
            server.apple,
            native: link,
            beforeExchange: beforeExchangeOfLink,
            onRefusal: onRefusal,
            onSignIn: onSignInToLink
        )
        let accounts = server.accounts
        router.signInWithAppleNotifications(
            server.apple,
            at: Self.notificationPath,
            onNotification: { notification, _ in try await accounts.receive(notification) }
        )
    }

    static let nativePath = "/api/sessions/apple"
    static let linkPath = "/api/account/apple"
    static let notificationPath = "apple/notifications"
    /// The purposes of a web sign-in other than opening a session.
    enum Purpose: String, CaseIterable {
        /// Links the Apple Account to the account of the browser's session.
        case link
        /// Reauthenticates the signed-in user; no other user can sign in.
        case confirm
    }

    /// The web sign-in; nil when it is not configured.
    var web: WebFlow? {
        guard let servicesID = server.configuration.servicesID,
            let first = server.configuration.origins.first
        else { return nil }
        var flow = WebFlow(
            redirectURI: first.redirectURI,
            sealer: server.configuration.sealer,
            servicesID: servicesID,
            cancelPath: Notice.cancelled.path
        )
        flow.purposes = Set(Purpose.allCases.map(\.rawValue))
        flow.isReturnPage = { WebPath.isReturnPage($0) }
        flow.keepsReturnPath = { WebPath.isAppConfirmation($0) }
        flow.forwardingPage = { [pages = server.pages] forwarding, head in
            let request = Request(head: head)
            let page = CallbackForwardingPage(forwarding: forwarding)
            return try await SignInResponse(pages.response(page, to: request))
        }
        flow.aliases = server.configuration.origins.map {
            WebFlow.Alias(redirectURI: $0.redirectURI, appleBrowserURL: $0.appleBrowserURL)
        }
        return flow
    }

    private var native: NativeEndpoint {
        let configuration = server.configuration
        // The store remembers used nonces and tokens, so no code is required against replays.
        var endpoint = NativeEndpoint(
            appIDs: configuration.nativeClientIDs,
            requiresCode: false,
            path: Self.nativePath
        )
        endpoint.servicesIDs = Set(configuration.servicesIDs)
        // The web view of an app, such as capacitor://localhost, has no redirect URI.
        endpoint.redirectOrigins = configuration.allowedOrigins.serialized
            .filter { $0.hasPrefix("http") }
            .union(configuration.origins.map(\.serialized))
        endpoint.sealer = configuration.sealer
        endpoint.isNonceCheckedLater = true
        return endpoint
    }

    private func unavailable(_ error: ServerError) -> Route.Handler {
        { _, _ in throw error }
    }
}
