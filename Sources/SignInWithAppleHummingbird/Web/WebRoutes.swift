import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import SignInWithApple

/// The two steps of signing in with a browser: to Apple's page, and back from it.
struct WebRoutes<Context: RequestContext>: Sendable {
    /// What is known again when the browser comes back.
    struct Note: Codable, Sendable {
        let returnPath: String
        /// The callback comes from another site, without the session's own cookie.
        let previousSessionToken: String?
    }

    let flow: WebFlow
    let handler: SignInHandler<Context>

    private var apple: AppleSignIn { handler.apple }
    private var cookies: CeremonyCookies<Note> { CeremonyCookies(sealer: flow.sealer) }

    /// Begins a ceremony and sends the browser to Apple.
    func begin(_ request: Request) throws -> Response {
        let returnPath = request.uri.queryParameters["return_to"].map(String.init)
        let ceremony = Ceremony(
            redirectURI: flow.redirectURI,
            note: Note(
                returnPath: ReturnPath.checked(returnPath),
                previousSessionToken: request.signInSessionToken
            ),
            now: apple.time.now
        )
        let address = apple.authorizationURL(
            clientID: flow.servicesID,
            redirectURI: ceremony.redirectURI,
            scopes: flow.scopes,
            state: ceremony.state.text,
            nonce: ceremony.nonce
        )
        var response = Response.seeOther(address.absoluteString).guarded
        response.headers.append(try cookies.field(ceremony))
        for field in cookies.surplus(in: request) { response.headers.append(field) }
        return response
    }

    /// Takes Apple's answer; nothing is spent before the browser and the token have been checked.
    func finish(_ request: Request, _ context: Context) async throws -> Response {
        let body = try await request.content(
            type: "application/x-www-form-urlencoded",
            maximumByteCount: RouteLimits.maximumCallbackByteCount,
            maximumSeconds: RouteLimits.maximumBodySeconds,
            time: apple.time
        )
        let callback = try AuthorizationCallback(formBody: body)
        let ceremony = try cookies.ceremony(
            for: try CeremonyState(posted: callback.state.map { [$0] } ?? []),
            in: request,
            now: apple.time.now
        )
        if callback.error == .userCancelledAuthorize {
            return ending(ceremony, .seeOther(flow.cancelPath).guarded)
        }
        let proven = try await proven(callback, ceremony)
        return try await handler.finish(proven, request, context) { response(to: $0, ceremony) }
    }

    private func proven(
        _ callback: AuthorizationCallback,
        _ ceremony: Ceremony<Note>
    ) async throws -> ProvenSignIn {
        let authorization = try callback.authorization()
        guard let identityToken = authorization.identityToken else {
            throw RouteRefusal(
                "callback_incomplete",
                .badRequest,
                "Something is missing from the answer that came back from Apple.",
                hint: "the callback has no id_token"
            )
        }
        let identity = try await apple.verify(
            identityToken,
            expecting: IdentityTokenExpectation(
                nonce: .raw(ceremony.nonce),
                clientIDs: [flow.servicesID],
                authorizationCode: authorization.code
            )
        )
        return ProvenSignIn(
            identity: identity,
            name: authorization.user?.name,
            code: authorization.code,
            redirectURI: ceremony.redirectURI,
            origin: .web(returnPath: ceremony.note.returnPath),
            previousSessionToken: ceremony.note.previousSessionToken
        )
    }

    private func response(to answer: SignInAnswer, _ ceremony: Ceremony<Note>) -> Response {
        switch answer {
        // An answer that is a failure leaves the ceremony, so that it can be repeated.
        case .response(let response):
            return response.status.code >= 400 ? response : ending(ceremony, response)
        case .session(let session):
            var response = Response.seeOther(ceremony.note.returnPath).guarded
            response.headers.append(SessionCookie.field(session))
            return ending(ceremony, response)
        }
    }

    private func ending(_ ceremony: Ceremony<Note>, _ response: Response) -> Response {
        var response = response
        response.headers.append(CeremonyCookies.cleared(ceremony))
        return response
    }
}
