import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import SignInWithApple

/// Signing in from an app, with what the system's sheet gave it.
struct NativeRoute<Context: RequestContext>: Sendable {
    let endpoint: NativeEndpoint
    let handler: SignInHandler<Context>

    func signIn(_ request: Request, _ context: Context) async throws -> Response {
        try await handler.answering(request, context) {
            let sent = try NativeSignInRequest(
                try await request.jsonFields(
                    maximumByteCount: RouteLimits.maximumNativeByteCount,
                    time: handler.apple.time
                )
            )
            return try await handler.finish(
                try await verified(sent, request),
                resumeToken: sent.resumeToken,
                request,
                context,
                respond: Self.response
            )
        }
    }

    /// Gives out a nonce for one sign-in.
    func makeNonce(
        _ nonces: any NativeNonces,
        _ request: Request,
        _ context: Context
    ) async throws -> Response {
        let (nonce, expiresAt) = try await nonces.make()
        let document: JSONObject = [
            "nonce": .string(nonce), "expiresAt": .string(expiresAt.formatted(.iso8601)),
        ]
        return Response.json(document, status: .created).guarded
    }

    private static func response(to answer: SignInAnswer) -> Response {
        switch answer {
        case .response(let response): return response
        case .session(let session):
            let document: JSONObject = [
                "token": .string(session.token),
                "expiresIn": .integer(session.lifetime.wholeSeconds),
            ]
            return Response.json(document, status: .created).guarded
        }
    }

    private func verified(
        _ sent: NativeSignInRequest,
        _ request: Request
    ) async throws -> VerifiedSignIn {
        if endpoint.requiresCode, sent.authorizationCode == nil {
            throw RefusedSignIn.codeRequired
        }
        if endpoint.nonces != nil, sent.nonce == nil { throw RefusedSignIn.nonceRequired }
        let identity = try await handler.apple.verify(
            sent.identityToken,
            expecting: IdentityTokenExpectation(
                nonce: sent.nonce.map(NonceExpectation.rawOrSHA256) ?? .absent,
                clientIDs: endpoint.clientIDs,
                authorizationCode: sent.authorizationCode
            )
        )
        return VerifiedSignIn(
            identity: identity,
            identityToken: sent.identityToken,
            nonce: sent.nonce,
            name: sent.name,
            origin: .native,
            previousSessionToken: handler.sessionToken(of: request),
            purpose: nil,
            request: request.head,
            code: sent.authorizationCode,
            redirectURI: nil
        )
    }
}
