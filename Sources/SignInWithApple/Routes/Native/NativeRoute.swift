import AppleIdentity
import Foundation
import HTTPTypes

/// The route for sign-ins from apps.
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

/// The body of an app's sign-in request.
struct NativeSignInRequest {
    private static let members = [
        "identityToken", "authorizationCode", "nonce", "fullName", "resumeToken",
    ]

    let identityToken: String
    let authorizationCode: String?
    let nonce: String?
    let name: PersonName?
    let resumeToken: String?

    /// Reads the members of a request.
    ///
    /// Apple sends the name once, so a misspelt member is rejected before the code is used.
    init(_ fields: JSONFields) throws {
        try fields.refuseOthers(than: Self.members)
        func text(_ name: String, _ maximumCount: Int) throws -> String? {
            let text = try fields.optionalText(name)
            guard text?.unicodeScalars.count ?? 0 <= maximumCount else {
                throw RefusedSignIn.fieldTooLong(name, maximumCount: maximumCount)
            }
            return text
        }
        identityToken = try fields.text("identityToken")
        authorizationCode = try text("authorizationCode", RouteLimits.maximumCodeCount)
        nonce = try text("nonce", RouteLimits.maximumNonceCount)
        resumeToken = try text("resumeToken", RouteLimits.maximumResumeTokenCount)
        name = try fields.optionalFields("fullName")
            .flatMap(PersonName.init(components:))
            .flatMap { name throws(SignInError) in try name.checked() }
    }
}
