import Accounts
import HTTPTypes
import Hummingbird
import Logging
import SignInWithApple

extension AppleRoutes {
    func beforeExchange(_ signIn: VerifiedSignIn, _ context: ServerContext) async throws {
        if signIn.isToLink { return try await beforeExchangeOfLink(signIn, context) }
        // Without a code, nothing is spent at Apple before `onSignIn`.
        guard signIn.hasCode else { return }
        try await server.accounts.beforeExchange(check(signIn, context))
    }

    func onSignIn(
        _ signIn: VerifiedSignIn,
        _ context: ServerContext
    ) async throws -> SignInAnswer {
        if signIn.isToLink { return try await onSignInToLink(signIn, context) }
        let receipt = try await server.accounts.onSignIn(
            check(signIn, context),
            grant: signIn.grant
        )
        let appWay: SignInMeasures.Way = isWebToken(signIn) ? .appleToken : .appleNative
        server.signIns.countSuccess(signIn.origin == .native ? appWay : .appleWeb)
        guard signIn.origin != .native else {
            return .response(.json(SessionRoutes.document(receipt), status: .created))
        }
        return .session(session(receipt, of: signIn))
    }

    /// Responds to a repeated callback of the browser, because the first response is lost.
    func onRepeatedCallback(
        _ signIn: VerifiedSignIn,
        _ context: ServerContext
    ) async throws -> SignInAnswer? {
        guard signIn.isToLink else {
            return try await server.accounts.onRepeatedCallback(check(signIn, context))
                .map { .session(session($0, of: signIn)) }
        }
        return try await onRepeatedLink(signIn)
    }

    private func session(_ receipt: SignInReceipt, of signIn: VerifiedSignIn) -> WebSession {
        let lifetime = server.accounts.configuration.sessionAbsoluteLimit
        var session = WebSession(token: receipt.token.text, lifetime: .seconds(Int(lifetime)))
        if signIn.isNameSuggested, signIn.returnPath == WebPath.account,
            receipt.account.name == signIn.name.flatMap(AccountName.init)
        {
            session.returnPath = Notice.nameKept.accountPath
        }
        return session
    }

    /// Checks a sign-in, once for all its steps; a reauthentication must not sign in to another account.
    private func check(
        _ signIn: VerifiedSignIn,
        _ context: ServerContext
    ) async throws -> SignInCheck {
        try await signIn.memo.value {
            let isConfirming = signIn.purpose == Purpose.confirm.rawValue
            let account = isConfirming ? try await caller(of: signIn).account.id : nil
            return try makeCheck(signIn, context, requiredAccount: account)
        }
    }

    func makeCheck(
        _ signIn: VerifiedSignIn,
        _ context: ServerContext,
        requiredAccount: AccountID? = nil
    ) throws -> SignInCheck {
        let isNative = signIn.origin == .native
        let nativeOrigin: NonceOrigin =
            server.configuration.requiresNonce || isWebToken(signIn) ? .server : .serverOrApp
        // A page also uses the route for apps, and then the browser sends a session cookie.
        return try server.accounts.check(
            signIn.identity,
            signIn.identityToken,
            nonce: signIn.nonce,
            from: isNative ? nativeOrigin : .webSignIn,
            name: signIn.name,
            client: isNative
                ? server.client(of: Request(head: signIn.request), context)
                : ClientDescription(
                    signIn.request,
                    context,
                    previousSessionToken: signIn.previousSessionToken
                ),
            requiredAccount: requiredAccount
        )
    }

    func onRefusal(
        _ refusal: RefusedSignIn,
        _ request: Request,
        _ context: ServerContext
    ) async throws -> Response {
        let code = refusal.code.rawValue
        refusal.log("sign-in refused", to: context.logger, route: context.endpointPath ?? "")
        server.signIns.countRefusal(way(of: context), code)
        await record(refusal, request, context)
        // The page of the app's request needs its Lax cookie, which the browser sends with a redirect to this server
        // but not with Apple's post.
        if refusal.isServersFault, let path = refusal.returnPath, WebPath.isAppConfirmation(path) {
            return .seeOther("\(path)&\(WebPath.errorParameter)=\(code)")
        }
        return try server.refusals.response(ServerError(refusal), to: request)
    }

    /// Records a refused sign-in or link, but no failure of the server or Apple, and no request that is not one.
    private func record(
        _ refusal: RefusedSignIn,
        _ request: Request,
        _ context: ServerContext
    ) async {
        guard refusal.status.kind == .clientError,
            SignInMeasures.codes.contains(refusal.code.rawValue)
        else {
            return
        }
        await server.accounts.recordRefusal(
            .signInRefused,
            detail: refusal.code.rawValue,
            of: (refusal.cause as? AccountsError)?.account,
            server.client(of: request, context)
        )
    }

    /// Whether the API received the token of a Services ID, such as the one of Apple's popup.
    private func isWebToken(_ signIn: VerifiedSignIn) -> Bool {
        signIn.origin == .native
            && server.configuration.servicesIDs.contains(signIn.identity.clientID)
    }

    private func way(of context: ServerContext) -> SignInMeasures.Way {
        switch context.endpointPath {
        case Self.nativePath: .appleNative
        case Self.linkPath: .appleLink
        default: .appleWeb
        }
    }
}
