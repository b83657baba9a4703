import AppleIdentity
import Foundation

/// Apple's endpoints for codes and tokens.
///
/// Source: [Token validation](https://developer.apple.com/documentation/signinwithapplerestapi/generate-and-validate-tokens),
/// [Token revocation](https://developer.apple.com/documentation/signinwithapplerestapi/revoke-tokens)
struct TokenEndpoint: Sendable {
    /// The maximum size of a code or token, in bytes; Apple's have 64.
    static let maximumTokenByteCount = 2048
    /// The maximum lifetime of an access token, in seconds; Apple's is 3600.
    static let maximumAccessTokenLifetime = 86_400

    let exchange: AppleExchange
    /// The clients that are Services IDs, for explaining errors.
    let servicesIDs: Set<ClientID>
    let history: SentHistory

    func send(
        code: String,
        redirectURI: String?,
        codeVerifier: String?,
        receivedAt: Date?,
        as client: ClientCredentials
    ) async throws -> UnverifiedGrant {
        try checkLength(of: code)
        guard codeVerifier.map(CodeVerifier.isWellFormed) ?? true else {
            throw SignInError(
                .appleRefusedGrant,
                hint: "it was not sent: the code verifier must follow RFC 7636, section 4.1"
            )
        }
        var form: FormCoding.Fields = [("grant_type", "authorization_code"), ("code", code)]
        // Apple requires the redirect URI if and only if the authorization request had one.
        if let redirectURI { form.append(("redirect_uri", redirectURI)) }
        if let codeVerifier { form.append(("code_verifier", codeVerifier)) }
        let sentCode = SentCode(
            text: code,
            redirectURI: redirectURI,
            hasVerifier: codeVerifier != nil,
            receivedAt: receivedAt,
            sentBefore: history.noteCode(code, at: exchange.time.now)
        )
        do {
            return try await grant(form, as: client, for: .code(sentCode))
        } catch {
            // It is also unknown for a cancelled request whether Apple accepted it.
            if (error as? SignInError)?.isRetryable != false { history.noteUnanswered(code) }
            throw error
        }
    }

    func refresh(
        _ refreshToken: String,
        as client: ClientCredentials
    ) async throws -> UnverifiedGrant {
        try checkLength(of: refreshToken)
        let form: FormCoding.Fields = [
            ("grant_type", "refresh_token"), ("refresh_token", refreshToken),
        ]
        return try await grant(form, as: client, for: .token(refreshToken))
    }

    func revoke(_ token: String, hint: TokenTypeHint, as client: ClientCredentials) async throws {
        try checkLength(of: token)
        _ = try await post(
            ApplePath.revoke,
            [("token", token), ("token_type_hint", hint.rawValue)],
            as: client,
            for: .token(token)
        )
    }

    private func grant(
        _ form: FormCoding.Fields,
        as client: ClientCredentials,
        for purpose: SentRequest.Purpose
    ) async throws -> UnverifiedGrant {
        guard let response = try await tokens(form, as: client, for: purpose) else {
            throw SignInError(
                .appleAnswerUnreadable,
                hint: "the token endpoint responded with 200 and no tokens"
            )
        }
        guard let identityToken = response.identityToken else {
            throw SignInError(
                .appleAnswerUnreadable,
                hint: "the token endpoint responded without an identity token"
            )
        }
        guard Self.isUsable(response), response.refreshToken?.isEmpty != true else {
            throw SignInError(
                .appleAnswerUnreadable,
                hint: "the token endpoint responded with an unknown type or an invalid lifetime"
            )
        }
        return UnverifiedGrant(
            clientID: client.clientID,
            accessToken: response.accessToken,
            expirationTime: exchange.time.now + TimeInterval(response.expiresIn),
            refreshToken: response.refreshToken,
            identityToken: identityToken
        )
    }

    /// The response of the endpoint for codes and tokens; nil if it is malformed.
    func tokens(
        _ form: FormCoding.Fields,
        as client: ClientCredentials,
        for purpose: SentRequest.Purpose
    ) async throws -> TokenResponse? {
        let body = try await post(ApplePath.token, form, as: client, for: purpose)
        history.noteAccepted(client.clientID)
        return try? TokenResponse(parsing: body)
    }

    /// RFC 6749, section 7.1: a client must not use an access token of an unknown type.
    /// https://www.rfc-editor.org/rfc/rfc6749#section-7.1
    static func isUsable(_ response: TokenResponse) -> Bool {
        response.tokenType.lowercased() == "bearer" && !response.accessToken.isEmpty
            && (0...maximumAccessTokenLifetime).contains(response.expiresIn)
    }

    /// Sends a form with the client's credentials, and returns the body of the response with 200.
    func post(
        _ path: String,
        _ form: FormCoding.Fields,
        as client: ClientCredentials,
        for purpose: SentRequest.Purpose,
        bearerToken: String? = nil
    ) async throws -> Data {
        let answer = try await exchange.post(
            path,
            form: client.fields + form,
            bearerToken: bearerToken
        )
        guard answer.status != 200 else { return answer.body }
        let sent = SentRequest(
            purpose: purpose,
            client: client,
            audience: exchange.service.issuer,
            servicesIDs: servicesIDs,
            history: history,
            time: exchange.time.now
        )
        throw AppleRefusal.error(in: answer, to: sent)
    }

    private func checkLength(of token: String) throws(SignInError) {
        guard (1...Self.maximumTokenByteCount).contains(token.utf8.count) else {
            throw SignInError(
                .appleRefusedGrant,
                hint:
                    "it was not sent: it must have 1 to \(Self.maximumTokenByteCount) bytes"
            )
        }
    }
}

/// The client's credentials in a form to Apple.
struct ClientCredentials: Sendable {
    let clientID: ClientID
    let secret: String

    var fields: FormCoding.Fields {
        [("client_id", clientID.rawValue), ("client_secret", secret)]
    }
}

/// The type of the token to revoke (`token_type_hint`, RFC 7009).
///
/// Source: [Token revocation](https://developer.apple.com/documentation/signinwithapplerestapi/revoke-tokens)
public enum TokenTypeHint: String, Hashable, Sendable, Codable {
    /// A refresh token, which was returned for a code.
    case refreshToken = "refresh_token"
    /// An access token, which is valid for an hour.
    case accessToken = "access_token"
}
