import AppleIdentity
import HTTPTypes
import Hummingbird
import SignInWithApple

/// Signing in from an app, with what the system's sheet gave it.
struct NativeRoute<Context: RequestContext>: Sendable {
    let endpoint: NativeEndpoint
    let handler: SignInHandler<Context>

    func signIn(_ request: Request, _ context: Context) async throws -> Response {
        let body = try await request.content(
            type: "application/json",
            maximumByteCount: RouteLimits.maximumNativeByteCount,
            maximumSeconds: RouteLimits.maximumBodySeconds,
            time: handler.apple.time
        )
        let sent = try NativeSignInRequest.read(body)
        let proven = try await proven(sent, previousSessionToken: request.signInSessionToken)
        return try await handler.finish(proven, request, context) { answer in
            switch answer {
            case .response(let response): return response
            case .session(let session):
                let document: JSONObject = [
                    "token": .string(session.token), "expiresIn": .integer(session.lifetimeSeconds),
                ]
                return Response.json(document, status: .created).guarded
            }
        }
    }

    private func proven(
        _ sent: NativeSignInRequest,
        previousSessionToken: String?
    ) async throws -> ProvenSignIn {
        if endpoint.requiresCode, sent.authorizationCode == nil {
            throw RouteRefusal(
                "code_required",
                .unprocessableContent,
                "The field authorizationCode is missing.",
                hint: "without a code nothing keeps a token from being used twice"
            )
        }
        let identity = try await handler.apple.verify(
            sent.identityToken,
            expecting: IdentityTokenExpectation(
                nonce: sent.nonce.map(NonceExpectation.rawOrSHA256) ?? .absent,
                clientIDs: endpoint.clientIDs,
                authorizationCode: sent.authorizationCode
            )
        )
        return ProvenSignIn(
            identity: identity,
            name: sent.name,
            code: sent.authorizationCode,
            redirectURI: nil,
            origin: .native,
            previousSessionToken: previousSessionToken
        )
    }
}
