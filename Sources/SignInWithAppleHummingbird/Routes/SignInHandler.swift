import HTTPTypes
import Hummingbird
import Logging
import SignInWithApple

/// What both ways of signing in share: redeeming, who decides, and how a failure is told.
struct SignInHandler<Context: RequestContext>: Sendable {
    typealias Decide = @Sendable (CompletedSignIn, Context) async throws -> SignInAnswer

    let apple: AppleSignIn
    /// The path that begins a sign-in in a browser.
    let beginPath: String?
    let decide: Decide

    /// Answers with what a step gives, or tells why it gives nothing; foreign errors go on.
    func answering(
        _ request: Request,
        _ context: Context,
        _ step: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await step()
        } catch {
            guard let refusal = RouteRefusal(any: error) else { throw error }
            return response(to: refusal, request, context)
        }
    }

    /// Redeems the code and has the developer's function decide.
    ///
    /// From here on a failure must lose nothing: the client keeps what Apple tells only once, and the
    /// same request may be sent again.
    func finish(
        _ proven: ProvenSignIn,
        _ request: Request,
        _ context: Context,
        respond: (SignInAnswer) -> Response
    ) async throws -> Response {
        var unfinished = apple.configuration.key.map {
            UnfinishedSignIn(proven, in: request, sealer: $0.sealer, now: apple.time.now)
        }
        var response: Response
        do {
            let signIn = CompletedSignIn(
                identity: proven.identity,
                name: unfinished?.name ?? proven.name,
                grant: try await grant(proven, &unfinished),
                origin: proven.origin,
                previousSessionToken: proven.previousSessionToken
            )
            response = respond(try await decide(signIn, context))
        } catch {
            response = try failure(error, request, context)
        }
        let fields =
            response.status.code >= 400
            ? try unfinished?.kept(now: apple.time.now) : unfinished?.cleared
        for field in fields ?? [] { response.headers.append(field) }
        return response
    }

    /// Redeems the code, unless an earlier attempt did; the answer has to be about the same person.
    private func grant(
        _ proven: ProvenSignIn,
        _ unfinished: inout UnfinishedSignIn?
    ) async throws -> AppleGrant? {
        guard let code = proven.code else { return nil }
        let identity = proven.identity
        let unverified: UnverifiedGrant
        if let earlier = unfinished?.grant {
            unverified = earlier
        } else {
            unverified = try await apple.exchange(
                code: code,
                clientID: identity.clientID,
                redirectURI: proven.redirectURI,
                receivedAt: identity.issuedAt
            )
            unfinished?.grant = unverified
        }
        do {
            return try await apple.verify(unverified, for: identity)
        } catch let error as SignInError {
            if !error.isRetryable { unfinished?.grant = nil }
            throw error
        }
    }

    /// The answer of an error that is the developer's own way to answer, or a refusal.
    private func failure(
        _ error: any Error,
        _ request: Request,
        _ context: Context
    ) throws -> Response {
        // Whoever asked has gone: there is nobody to answer, and nothing went wrong.
        if Task.isCancelled, error is CancellationError { throw error }
        if let refusal = RouteRefusal(any: error) { return response(to: refusal, request, context) }
        if let error = error as? any HTTPResponseError {
            return try error.response(from: request, context: context)
        }
        return response(to: .signInUnfinished(error), request, context)
    }

    private func response(
        to refusal: RouteRefusal,
        _ request: Request,
        _ context: Context
    ) -> Response {
        context.logger.log(
            level: refusal.status.code >= 500 ? .error : .notice,
            "sign-in refused",
            metadata: ["code": "\(refusal.code)", "hint": "\(refusal.hint)"]
        )
        return RefusalAnswer(refusal: refusal, beginPath: beginPath).response(to: request)
    }
}
