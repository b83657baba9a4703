import AppleIdentity
import Foundation
import HTTPTypes

/// The route for sign-ins from apps.
struct NativeRoute<Context>: Sendable {
    let endpoint: NativeEndpoint
    let handler: SignInHandler<Context>
    private let turns = CallbackTurns()

    init(endpoint: NativeEndpoint, handler: SignInHandler<Context>) {
        (self.endpoint, self.handler) = (endpoint, handler)
    }

    func signIn(_ call: SignInCall<Context>) async throws -> SignInResponse {
        try await handler.answering(call) {
            let sent = try NativeSignInRequest(
                try await call.request.jsonFields(
                    maximumByteCount: RouteLimits.maximumNativeByteCount
                )
            )
            let verified = try await verified(sent, call.head)
            return try await turns.run(sent.identityToken) {
                try await handler.finish(
                    verified,
                    resumeToken: sent.resumeToken,
                    call,
                    respond: Self.response
                )
            }
        }
    }

    func makeNonce(_ nonces: NativeNonces) -> SignInResponse {
        let made = nonces.make(at: handler.apple.time.now)
        let document: JSONObject = [
            "nonce": .string(made.nonce),
            "expiresAt": .string(made.expiresAt.formatted(.iso8601)),
        ]
        return SignInResponse.json(document, status: .created).guarded
    }

    private static func response(to answer: SignInAnswer) -> SignInResponse {
        switch answer.kind {
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
        try endpoint.check(sent, of: identity.clientID)
        return VerifiedSignIn(
            identity: identity,
            identityToken: sent.identityToken,
            nonce: sent.nonce,
            name: sent.name,
            origin: .native,
            returnPath: nil,
            previousSessionToken: handler.sessionToken(of: request),
            purpose: nil,
            request: request,
            code: sent.authorizationCode,
            redirectURI: sent.redirectURI?.text,
            codeVerifier: sent.codeVerifier
        )
    }
}

extension NativeEndpoint {
    /// Checks what a Services ID requires, and a bundle identifier does not have.
    func check(_ sent: NativeSignInRequest, of clientID: ClientID) throws(RefusedSignIn) {
        guard servicesIDs.contains(clientID) else {
            guard sent.redirectURI == nil else { throw .redirectURIUnexpected }
            return
        }
        guard sent.nonce != nil else { throw .nonceRequired }
        guard let redirectURI = sent.redirectURI else {
            guard sent.authorizationCode == nil else { throw .redirectURIRequired }
            return
        }
        guard redirectOrigins.contains(redirectURI.origin) else { throw .redirectURINotAllowed }
    }
}

struct NativeSignInRequest {
    private static let members = [
        "identityToken", "authorizationCode", "redirectUri", "codeVerifier", "nonce", "fullName",
        "resumeToken",
    ]

    /// Members of the credential of Expo and React Native that no server needs.
    private static let credentialMembers: Set = [
        "user", "email", "realUserStatus", "state", "authorizedScopes",
    ]

    let identityToken: String
    let authorizationCode: String?
    let redirectURI: SentRedirectURI?
    let codeVerifier: String?
    let nonce: String?
    let name: PersonName?
    let resumeToken: String?

    /// Reads the members of a request.
    ///
    /// Apple sends the name once, so a misspelt member is rejected before the code is used.
    init(_ fields: JSONFields) throws {
        if let member = fields.object.names.first(where: Self.credentialMembers.contains) {
            throw RefusedSignIn.wholeCredential(member)
        }
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
        redirectURI = try text("redirectUri", RouteLimits.maximumRedirectURIByteCount)
            .map { text throws(RefusedSignIn) in try SentRedirectURI(text) }
        codeVerifier = try text("codeVerifier", CodeVerifier.counts.upperBound)
        guard codeVerifier.map(CodeVerifier.isWellFormed) ?? true else {
            throw RefusedSignIn.codeVerifierInvalid
        }
        nonce = try text("nonce", RouteLimits.maximumNonceCount)
        resumeToken = try text("resumeToken", RouteLimits.maximumResumeTokenCount)
        name = try fields.optionalFields("fullName")
            .flatMap(PersonName.init(components:))
            .flatMap { name throws(SignInError) in try name.checked() }
    }
}
