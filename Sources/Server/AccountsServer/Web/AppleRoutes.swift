import Accounts
import HTTPTypes
import Hummingbird
import NIOCore
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
            beforeRedeeming: beforeRedeeming,
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
            beforeRedeeming: beforeRedeemingLink,
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
            servicesID: servicesID,
            redirectURI: first.redirectURI,
            sealer: server.configuration.sealer,
            cancelPath: Notice.cancelled.path
        )
        flow.purposes = Set(Purpose.allCases.map(\.rawValue))
        flow.isReturnPage = { WebPath.isReturnPage($0) }
        flow.keepsReturnPath = { WebPath.isAppConfirmation($0) }
        flow.forwardingPage = { [pages = server.pages] forwarding, head in
            let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
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
            clientIDs: configuration.nativeClientIDs,
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

    /// Whether the API received the token of a Services ID, such as the one of Apple's popup.
    private func isWebToken(_ signIn: VerifiedSignIn) -> Bool {
        signIn.origin == .native
            && server.configuration.servicesIDs.contains(signIn.identity.clientID)
    }

    private func unavailable(_ error: ServerError) -> Route.Handler {
        { _, _ in throw error }
    }

    private func beforeRedeeming(_ signIn: VerifiedSignIn, _ context: ServerContext) async throws {
        if signIn.isToLink { return try await beforeRedeemingLink(signIn, context) }
        // Without a code, nothing is spent at Apple before `onSignIn`.
        guard signIn.hasCode else { return }
        try await server.accounts.beforeRedeeming(check(signIn, context))
    }

    private func onSignIn(
        _ signIn: CompletedSignIn,
        _ context: ServerContext
    ) async throws -> SignInAnswer {
        let verified = signIn.verified
        if verified.isToLink { return try await onSignInToLink(signIn, context) }
        let receipt = try await server.accounts.onSignIn(
            check(verified, context),
            grant: signIn.grant
        )
        let appWay: SignInMeasures.Way = isWebToken(verified) ? .appleToken : .appleNative
        server.signIns.countSuccess(signIn.origin == .native ? appWay : .appleWeb)
        guard signIn.origin != .native else {
            return .response(.json(SessionRoutes.document(receipt), status: .created))
        }
        return .session(session(receipt, of: verified))
    }

    /// Responds to a repeated callback of the browser, because the first response is lost.
    private func onRepeatedCallback(
        _ signIn: VerifiedSignIn,
        _ context: ServerContext
    ) async throws -> SignInAnswer? {
        guard signIn.isToLink else {
            return try await server.accounts.onRepeatedCallback(check(signIn, context))
                .map { .session(session($0, of: signIn)) }
        }
        let identity = signIn.identity
        let person = ApplePerson(issuer: identity.issuer, user: identity.user)
        guard case .web(let path) = signIn.origin,
            try await caller(of: signIn).account.apple?.person == person
        else { return nil }
        return .response(.redirect(to: path))
    }

    private func session(_ receipt: SignInReceipt, of signIn: VerifiedSignIn) -> SignInSession {
        let lifetime = server.accounts.configuration.sessionAbsoluteLimit
        var session = SignInSession(token: receipt.token.text, lifetime: .seconds(Int(lifetime)))
        if signIn.isNameSuggested, signIn.origin == .web(returnPath: WebPath.account),
            receipt.account.name == signIn.name.flatMap(AccountName.init)
        {
            session.returnPath = Notice.nameKept.accountPath
        }
        return session
    }

    private func beforeRedeemingLink(
        _ signIn: VerifiedSignIn,
        _ context: ServerContext
    ) async throws {
        let link = try await link(signIn, context)
        try await server.accounts.beforeRedeeming(link.check, linkingTo: link.session)
    }

    private func onSignInToLink(
        _ signIn: CompletedSignIn,
        _ context: ServerContext
    ) async throws -> SignInAnswer {
        let link = try await link(signIn.verified, context)
        let account = try await server.accounts.linkApple(
            link.check,
            grant: signIn.grant,
            requestedBy: link.session
        )
        server.signIns.countSuccess(signIn.origin == .native ? .appleLink : .appleWeb)
        guard case .web(let path) = signIn.origin else {
            return .response(.json(AccountRoutes.document(account)))
        }
        return .response(.redirect(to: path))
    }

    /// Returns the session to link: the app's, or the one that started the sign-in in a browser.
    private func caller(of signIn: VerifiedSignIn) async throws -> SignedInSession {
        // The body has been read, but the head is enough to authenticate the request.
        let request = Request(head: signIn.request, body: RequestBody(buffer: ByteBuffer()))
        guard signIn.origin != .native else {
            return try await server.authenticator.session(of: request)
        }
        guard let token = signIn.previousSessionToken else { throw ServerError.notSignedIn }
        return try await server.accounts.session(token: token)
    }

    /// Authenticates the caller before the token is verified, which costs more.
    private struct RequireSession: RouterMiddleware {
        let routes: AppleRoutes

        @concurrent
        func handle(
            _ request: Request,
            context: ServerContext,
            next: @concurrent (Request, ServerContext) async throws -> Response
        ) async throws -> Response {
            do {
                _ = try await routes.server.authenticator.session(of: request)
            } catch {
                guard let refusal = RefusedSignIn(any: error) else { throw error }
                return try await routes.onRefusal(refusal, request, context)
            }
            return try await next(request, context)
        }
    }

    /// Checks a sign-in, once for all its steps; a reauthentication must not sign in to another account.
    private func check(
        _ signIn: VerifiedSignIn,
        _ context: ServerContext
    ) async throws -> SignInCheck {
        try await signIn.memo.value {
            let isConfirming = signIn.purpose == Purpose.confirm.rawValue
            let account = isConfirming ? try await caller(of: signIn).account.id : nil
            return try check(signIn, context, requiredAccount: account)
        }
    }

    /// A checked sign-in, and the session whose account it is linked to.
    private struct Link: Sendable {
        let check: SignInCheck
        let session: Session
    }

    private func link(
        _ signIn: VerifiedSignIn,
        _ context: ServerContext
    ) async throws -> Link {
        try await signIn.memo.value {
            let session = try await caller(of: signIn).session
            return Link(check: try check(signIn, context, requiredAccount: nil), session: session)
        }
    }

    private func check(
        _ signIn: VerifiedSignIn,
        _ context: ServerContext,
        requiredAccount: AccountID?
    ) throws -> SignInCheck {
        let isNative = signIn.origin == .native
        let nativeOrigin: NonceOrigin =
            server.configuration.requiresNonce || isWebToken(signIn) ? .server : .serverOrApp
        // An app's sign-in may come from a browser with a session cookie.
        let head = Request(head: signIn.request, body: RequestBody(buffer: ByteBuffer()))
        return try server.accounts.check(
            signIn.identity,
            signIn.identityToken,
            nonce: signIn.nonce,
            from: isNative ? nativeOrigin : .webSignIn,
            name: signIn.name,
            client: isNative
                ? server.client(of: head, context)
                : ClientDescription(
                    signIn.request,
                    context,
                    previousSessionToken: signIn.previousSessionToken
                ),
            requiredAccount: requiredAccount
        )
    }

    private func onRefusal(
        _ refusal: RefusedSignIn,
        _ request: Request,
        _ context: ServerContext
    ) async throws -> Response {
        server.signIns.countRefusal(way(of: context), refusal.code)
        await record(refusal, request, context)
        // The app's request is in a Lax cookie, which browsers do not send with Apple's post.
        if refusal.isServersFault, let path = refusal.returnPath, WebPath.isAppConfirmation(path) {
            return .seeOther("\(path)&\(WebPath.errorParameter)=\(refusal.code)")
        }
        return try server.refusals.response(ServerError(refusal), to: request)
    }

    /// Records a refused sign-in or link, but no failure of the server or Apple, and no request that is not one.
    private func record(
        _ refusal: RefusedSignIn,
        _ request: Request,
        _ context: ServerContext
    ) async {
        guard refusal.status.kind == .clientError, SignInMeasures.codes.contains(refusal.code)
        else {
            return
        }
        await server.accounts.recordRefusal(
            .signInRefused,
            detail: refusal.code,
            of: (refusal.cause as? AccountsError)?.account,
            server.client(of: request, context)
        )
    }

    private func way(of context: ServerContext) -> SignInMeasures.Way {
        switch context.endpointPath {
        case Self.nativePath: .appleNative
        case Self.linkPath: .appleLink
        default: .appleWeb
        }
    }
}

extension VerifiedSignIn {
    /// Whether a browser links the Apple Account to the account of its session.
    fileprivate var isToLink: Bool { purpose == AppleRoutes.Purpose.link.rawValue }
}
