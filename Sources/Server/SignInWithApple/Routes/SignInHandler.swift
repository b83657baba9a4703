import AppleIdentity
import HTTPTypes
import Logging

/// The common part of the web and native routes: exchanging the code, calling the developer's functions, and error
/// responses.
struct SignInHandler<Context>: Sendable {
    typealias BeforeExchange = @Sendable (VerifiedSignIn, Context) async throws -> Void
    typealias OnSignIn = @Sendable (VerifiedSignIn, Context) async throws -> SignInAnswer
    typealias OnRepeatedCallback = @Sendable (VerifiedSignIn, Context) async throws -> SignInAnswer?
    typealias OnRefusal =
        @Sendable (RefusedSignIn, SignInRequest, Context) async throws -> SignInResponse?
    typealias OnError = @Sendable (any Error, Context) async throws -> SignInResponse?

    let apple: AppleSignIn
    let web: WebFlow?
    let nonces: NativeNonces?
    /// Encrypts what a client keeps of a failed sign-in.
    let sealer: TokenSealer?
    let beforeExchange: BeforeExchange?
    let onRefusal: OnRefusal?
    let onError: OnError?
    let onRepeatedCallback: OnRepeatedCallback?
    let onSignIn: OnSignIn

    /// The token of the client's session before the sign-in.
    func sessionToken(of request: HTTPRequest) -> String? {
        web?.sessionToken(of: request) ?? request.bearerSessionToken
    }

    /// Returns a step's response, or the response to its error; rethrows what is not a refusal.
    func answering(
        _ call: SignInCall<Context>,
        remedy: RefusedSignIn.Remedy = .none,
        _ step: () async throws -> SignInResponse
    ) async throws -> SignInResponse {
        do {
            return try await step()
        } catch {
            guard var refusal = RefusedSignIn(any: error) else { throw error }
            if case .none = refusal.remedy { refusal.remedy = remedy }
            var response =
                try await ownResponse(to: refusal, call) ?? refusal.response(to: call.request)
            if case .resume(let token) = refusal.remedy {
                refusal.status = response.status
                response = response.resumable(by: token, or: refusal.problemDocument)
            }
            return response.adding(refusal.cookies)
        }
    }

    /// The developer's response; a refusal without one is logged.
    private func ownResponse(
        to refusal: RefusedSignIn,
        _ call: SignInCall<Context>
    ) async throws -> SignInResponse? {
        var isHandled = false
        defer {
            if !isHandled {
                refusal.log("sign-in refused", to: call.logger, route: call.route)
            }
        }
        let response = try await onRefusal?(refusal, call.request, call.context)
        isHandled = response != nil
        return response
    }

    /// Exchanges the code and calls the developer's function.
    ///
    /// From here on a failure must lose nothing. The client keeps what Apple sends only once, and can
    /// send the same request again.
    func finish(
        _ verified: VerifiedSignIn,
        resumeToken: String? = nil,
        _ call: SignInCall<Context>,
        respond: (SignInAnswer) throws -> SignInResponse
    ) async throws -> SignInResponse {
        let unfinished = sealer.map {
            UnfinishedSignIn(
                verified,
                site: web?.cookies(for: call.head) ?? SiteCookies(isSecure: true),
                in: call.head,
                resumeToken: resumeToken,
                sealer: $0,
                now: apple.time.now
            )
        }
        var verified = verified
        if verified.name == nil, let name = unfinished?.name {
            verified.name = name
            verified.isNameSuggested = true
        }
        var response: SignInResponse
        do {
            response = try respond(try await exchangeAndSignIn(verified, unfinished, call.context))
        } catch {
            if let answer = try await answer(toRepeated: verified, after: error, call.context) {
                response = try respond(answer)
            } else {
                response = try await failure(error, unfinished, call.context)
            }
        }
        let saved = response.status.code >= 400 ? try unfinished?.saved() : nil
        if verified.origin == .native, let token = saved?.resumeToken {
            let problem = RefusedSignIn.signInUnfinished(response).problemDocument
            response = response.resumable(by: token, or: problem)
        }
        return response.adding(saved?.cookies ?? unfinished?.cleared ?? [])
    }

    /// Asks the developer for the response to a rejected callback, which may have signed the user in before.
    private func answer(
        toRepeated verified: VerifiedSignIn,
        after error: any Error,
        _ context: Context
    ) async throws -> SignInAnswer? {
        guard verified.origin != .native, let onRepeatedCallback,
            let refusal = RefusedSignIn(any: error), !refusal.isRetryable
        else { return nil }
        return try await onRepeatedCallback(verified, context)
    }

    /// Exchanges the code between the developer's functions.
    private func exchangeAndSignIn(
        _ verified: VerifiedSignIn,
        _ unfinished: UnfinishedSignIn?,
        _ context: Context
    ) async throws -> SignInAnswer {
        try await beforeExchange?(verified, context)
        try await consumeNonce(of: verified, unfinished)
        let grant: AppleGrant?
        do {
            grant = try await self.grant(verified, unfinished)
        } catch let error as SignInError
            where error.code == .appleRefusedGrant && verified.origin == .native
        {
            // Another server may have finished the same request meanwhile, which explains the refusal better.
            try await beforeExchange?(verified, context)
            throw error
        }
        var completed = verified
        completed.grant = grant
        return try await onSignIn(completed, context)
    }

    /// Consumes the server's nonce, once for all attempts of the same sign-in.
    private func consumeNonce(
        of verified: VerifiedSignIn,
        _ unfinished: UnfinishedSignIn?
    ) async throws {
        guard let nonces, verified.origin == .native, unfinished?.progress.isNonceConsumed != true
        else { return }
        guard let nonce = verified.nonce else { throw RefusedSignIn.nonceRequired }
        guard try await nonces.consume(nonce, at: apple.time.now) else {
            throw RefusedSignIn.nonceUnknown
        }
        unfinished?.progress.isNonceConsumed = true
    }

    /// Exchanges the code, unless an earlier attempt did; the response must be for the same user.
    private func grant(
        _ verified: VerifiedSignIn,
        _ unfinished: UnfinishedSignIn?
    ) async throws -> AppleGrant? {
        let identity = verified.identity
        let unverified: UnverifiedGrant
        if let earlier = unfinished?.progress.grant {
            unverified = earlier
        } else if let code = verified.code, apple.configuration.key != nil {
            unverified = try await apple.send(
                code: code,
                of: identity,
                redirectURI: verified.redirectURI,
                codeVerifier: verified.codeVerifier
            )
            unfinished?.progress.grant = unverified
        } else {
            return nil
        }
        do {
            return try await apple.verify(unverified, for: identity)
        } catch let error as SignInError {
            if !error.isRetryable { unfinished?.progress.grant = nil }
            throw error
        }
    }

    /// The developer's own response to an error; any other error is rethrown.
    private func failure(
        _ error: any Error,
        _ unfinished: UnfinishedSignIn?,
        _ context: Context
    ) async throws -> SignInResponse {
        // The client has disconnected: no response is needed, and nothing went wrong.
        if Task.isCancelled, error is CancellationError { throw error }
        if let refusal = RefusedSignIn(any: error) { throw try saved(refusal, unfinished) }
        if let answer = try await onError?(error, context) { return answer }
        throw try saved(.signInUnfinished(error), unfinished)
    }

    private func saved(
        _ refusal: RefusedSignIn,
        _ unfinished: UnfinishedSignIn?
    ) throws -> RefusedSignIn {
        var refusal = refusal
        guard let saved = try unfinished?.saved() else { return refusal }
        refusal.cookies += saved.cookies
        if let token = saved.resumeToken { refusal.remedy = .resume(token: token) }
        return refusal
    }
}
