import AppleIdentity
import Foundation
import HTTPTypes
import Logging

/// The steps of a sign-in in a browser: to Apple's page, back, and again after a failure.
struct WebRoutes<Context>: Sendable {
    let flow: WebFlow
    let sealer: TokenSealer
    let servicesID: ClientID
    /// The path in browsers that begins the flow.
    let beginPath: String
    let handler: SignInHandler<Context>
    private let turns = CallbackTurns()
    private let answered = AnsweredCallbacks()

    private static var purposeParameter: String { "purpose" }

    private static var unreadableName: Logger.Metadata {
        [
            "code": "name_unreadable",
            "hint": "the callback's user field is not the JSON object Apple documents",
        ]
    }

    private var apple: AppleSignIn { handler.apple }

    func begin(_ call: SignInCall<Context>) async throws -> SignInResponse {
        try await handler.answering(call) {
            guard call.head.isNavigation else { throw RefusedSignIn.embedded }
            let origin = flow.origin(of: call.head)
            let start = apple.beginWebSignIn(
                clientID: servicesID,
                redirectURI: origin.redirectURI,
                scopes: flow.scopes,
                browserURL: origin.appleBrowserURL ?? apple.configuration.service.browserURL
            )
            let returnPath = call.head.queryValue(ReturnPath.parameter)
            let stored = KeptSignIn(
                pending: start.pending,
                returnPath: ReturnPath.checked(returnPath, isPage: isReturnPage),
                previousSessionToken: flow.sessionToken(of: call.head),
                purpose: try purpose(of: call.head)
            )
            return SignInResponse.redirect(to: start.authorizationURL.absoluteString).guarded
                .adding(try pendingCookies(of: call.head).begin(stored, in: call.head))
        }
    }

    /// Handles Apple's response; nothing is used up before the browser and the token are checked.
    func finish(_ call: SignInCall<Context>) async throws -> SignInResponse {
        try await answering(call) {
            let form = try CallbackForm(
                try await call.request.content(
                    type: SignInRequest.formType,
                    maximumByteCount: RouteLimits.maximumCallbackByteCount
                )
            )
            if let forwarding = try await forwarding(of: form, call.head) { return forwarding }
            return try await finish(form, lifetime: PendingWebSignIn.lifetime, call)
        }
    }

    /// Handles the same response again, from one of our own pages.
    func finishAgain(_ call: SignInCall<Context>) async throws -> SignInResponse {
        try await answering(call) {
            guard call.head.isFromOwnPage(at: flow.origin(of: call.head).site.serialized) else {
                throw RefusedSignIn.crossSiteRequest
            }
            let form = try await call.request.form(
                maximumByteCount: RouteLimits.maximumRepeatedCallbackByteCount
            )
            let repeated = try RepeatedCallback(form, sealer: sealer)
            return try await finish(
                CallbackForm(repeated.body),
                correctedName: repeated.name,
                lifetime: sealer.repetitionLifetime,
                call
            )
        }
    }

    private func answering(
        _ call: SignInCall<Context>,
        _ step: () async throws -> SignInResponse
    ) async throws -> SignInResponse {
        try await handler.answering(call, remedy: .beginAgain(path: beginPath), step)
            .leading(from: flow.origin(of: call.head))
    }

    /// The page that posts a callback again if it came without the cookie of a pending sign-in.
    private func forwarding(
        of form: CallbackForm,
        _ request: HTTPRequest
    ) async throws -> SignInResponse? {
        guard pendingCookies(of: request).ids(in: request).isEmpty,
            let forwarding = try CallbackForwarding(form)
        else { return nil }
        if let draw = flow.forwardingPage { return try await draw(forwarding, request) }
        let page = flow.signingInPage
        let action = "\(beginPath)/callback"
        var response = SignInResponse.page(forwarding.page(action: action, page)).guarded
        response.allow("script-src", CallbackForwarding.scriptSource)
        if let style = page.styleSource { response.allow("style-src", style) }
        return response
    }

    private func finish(
        _ form: CallbackForm,
        correctedName: PersonName? = nil,
        lifetime: Duration,
        _ call: SignInCall<Context>
    ) async throws -> SignInResponse {
        let callback = try AuthorizationCallback(form)
        let cookies = pendingCookies(of: call.head)
        guard let stored = callback.pendingID.flatMap({ cookies.value($0, in: call.head) }) else {
            throw apple.pendingMissing(callback, within: lifetime)
        }
        do {
            let signIn = try await keepingName(of: callback, stored, call.head) {
                try await apple.finishWebSignIn(
                    callback,
                    pending: stored.pending,
                    within: lifetime,
                    correctedName: correctedName
                )
            }
            guard let signIn else {
                let isKept = flow.keepsReturnPath(stored.returnPath)
                let path = isKept ? stored.returnPath : flow.cancelPath
                return ending(stored, .redirect(to: path).guarded, call.head)
            }
            if signIn.isNameUnreadable {
                call.logger.notice("signed in without the name", metadata: Self.unreadableName)
            }
            let verified = VerifiedSignIn(signIn, stored, call.head)
            return try await turns.run(stored.id) { try await finish(verified, stored, call) }
        } catch {
            guard let refusal = RefusedSignIn(any: error) else { throw error }
            throw try remedied(refusal, form, stored, call.head)
        }
    }

    /// Signs the browser in, once for a callback that it posts twice.
    ///
    /// A developer's `onRepeatedCallback` knows more: it also finds the session if another replica opened it.
    private func finish(
        _ verified: VerifiedSignIn,
        _ stored: KeptSignIn,
        _ call: SignInCall<Context>
    ) async throws -> SignInResponse {
        // The user may choose another account at Apple's page, which keeps the state.
        let callback = "\(stored.pending.state) \(verified.identityToken)"
        if let response = answered.response(to: callback, at: apple.time.now) { return response }
        var opensSession = false
        let response = try await handler.finish(verified, call) { answer in
            let response = try self.response(to: answer, stored, call.head)
            if case .session = answer.kind { opensSession = true }
            return response
        }
        if opensSession, handler.onRepeatedCallback == nil {
            answered.keep(response, to: callback, at: apple.time.now)
        }
        return response
    }

    /// Has the browser keep the name if the response is rejected before its user is known.
    private func keepingName<Result>(
        of callback: AuthorizationCallback,
        _ stored: KeptSignIn,
        _ request: HTTPRequest,
        _ step: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await step()
        } catch {
            guard var refusal = RefusedSignIn(any: error) else { throw error }
            if let name = SuggestedName(callback, pending: stored.pending),
                let sealer = handler.sealer
            {
                let site = flow.cookies(for: request)
                refusal.cookies.append(
                    try UnfinishedSignIn.field(keeping: name, site: site, sealer: sealer)
                )
            }
            throw refusal
        }
    }

    /// Excludes the begin route, at which a browser would begin the next sign-in at once.
    private func isReturnPage(_ path: String) -> Bool {
        flow.isReturnPage(path) && !ReturnPath.leads(path, to: beginPath)
    }

    /// Another site may begin only a plain sign-in.
    private func purpose(of request: HTTPRequest) throws(RefusedSignIn) -> String? {
        guard let purpose = request.queryValue(Self.purposeParameter) else { return nil }
        guard flow.purposes.contains(purpose) else { throw .purposeUnknown }
        guard !request.isFromOtherSite else { throw .crossSiteRequest }
        return purpose
    }

    private func response(
        to answer: SignInAnswer,
        _ stored: KeptSignIn,
        _ request: HTTPRequest
    ) throws -> SignInResponse {
        switch answer.kind {
        // A failed response leaves the cookie, so the callback can be repeated.
        case .response(let response):
            return response.status.code >= 400 ? response : ending(stored, response, request)
        case .session(let session):
            let fields = try pendingCookies(of: request)
                .following(session, besides: stored, in: request)
            let response = SignInResponse.redirect(to: session.returnPath ?? stored.returnPath)
                .guarded
                .adding([session.cookie(flow.cookies(for: request))] + fields)
            return ending(stored, response, request)
        }
    }

    private func pendingCookies(of request: HTTPRequest) -> TabCookies<KeptSignIn> {
        flow.pendingCookies(of: request, sealer)
    }

    private func ending(
        _ stored: KeptSignIn,
        _ response: SignInResponse,
        _ request: HTTPRequest
    ) -> SignInResponse {
        response.adding(pendingCookies(of: request).cleared(stored.id, in: request))
    }

    /// Adds what the user can do: post the same callback again, perhaps with a shorter name and long after
    /// the sign-in expired, or begin again.
    private func remedied(
        _ refusal: RefusedSignIn,
        _ form: CallbackForm,
        _ stored: KeptSignIn,
        _ request: HTTPRequest
    ) throws -> RefusedSignIn {
        var refusal = refusal
        refusal.returnPath = stored.returnPath
        let asksName = refusal.code == .nameTooLong
        if asksName || refusal.isRetryable {
            let repeated = RepeatedCallback(body: form.body, id: stored.id)
                .form(
                    action: "\(beginPath)/callback/again",
                    asksName: asksName,
                    sealer: sealer
                )
            refusal.remedy = .postAgain(repeated)
            refusal.cookies.append(try pendingCookies(of: request).field(stored, in: request))
        } else {
            refusal.remedy = .beginAgain(path: beginPath(asIn: stored))
        }
        return refusal
    }

    /// The path that begins the same sign-in: for the same purpose, and back to the same page.
    private func beginPath(asIn stored: KeptSignIn) -> String {
        let purpose = stored.purpose.map { [(Self.purposeParameter, $0)] } ?? []
        let path = stored.returnPath == "/" ? [] : [(ReturnPath.parameter, stored.returnPath)]
        let query = purpose + path
        return query.isEmpty ? beginPath : "\(beginPath)?" + FormCoding.encode(query)
    }
}
