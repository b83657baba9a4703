import AppleIdentity
import Foundation
import HTTPTypes

/// Signing in from an app, with what the system's sheet gave it.
struct NativeRoute<Context>: Sendable {
    let endpoint: NativeEndpoint
    let handler: SignInHandler<Context>

    func signIn(_ call: SignInCall<Context>) async throws -> SignInResponse {
        try await handler.answering(call) {
            let sent = try NativeSignInRequest(
                try await call.request.jsonFields(
                    maximumByteCount: RouteLimits.maximumNativeByteCount
                )
            )
            return try await handler.finish(
                try await verified(sent, call.head),
                resumeToken: sent.resumeToken,
                call,
                respond: Self.response
            )
        }
    }

    /// Gives out a nonce for one sign-in.
    func makeNonce(_ nonces: any NativeNonces) async throws -> SignInResponse {
        let (nonce, expiresAt) = try await nonces.make()
        let document: JSONObject = [
            "nonce": .string(nonce), "expiresAt": .string(expiresAt.formatted(.iso8601)),
        ]
        return SignInResponse.json(document, status: .created).guarded
    }

    private static func response(to answer: SignInAnswer) -> SignInResponse {
        switch answer {
        case .response(let response): return response
        case .session(let session):
            let document: JSONObject = [
                "token": .string(session.token),
                "expiresIn": .integer(session.lifetime.wholeSeconds),
            ]
            return SignInResponse.json(document, status: .created).guarded
        }
    }

    private func verified(
        _ sent: NativeSignInRequest,
        _ request: HTTPRequest
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
            request: request,
            code: sent.authorizationCode,
            redirectURI: nil
        )
    }
}
