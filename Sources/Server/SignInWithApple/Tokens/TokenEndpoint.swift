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
    /// The clients that are Services IDs, for explaining errors; nil if unknown.
    let servicesIDs: Set<ClientID>?
    let history: SentHistory

    func redeem(
        code: String,
        redirectURI: String?,
        codeVerifier: String?,
        receivedAt: Date?,
        as client: ClientCredentials
    ) async throws -> TokenAnswer {
        try checkLength(of: code)
        guard codeVerifier.map(CodeVerifier.isWellFormed) ?? true else {
            throw SignInError(
                .appleRefusedGrant,
                hint: "it was not sent: the code verifier must follow RFC 7636, section 4.1"
            )
        }
        var form = client.fields
        form.append(("grant_type", "authorization_code"))
        form.append(("code", code))
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

    func refresh(_ refreshToken: String, as client: ClientCredentials) async throws -> TokenAnswer {
        try checkLength(of: refreshToken)
        var form = client.fields
        form.append(("grant_type", "refresh_token"))
        form.append(("refresh_token", refreshToken))
        return try await grant(form, as: client, for: .token(refreshToken))
    }

    func revoke(_ token: String, hint: TokenTypeHint, as client: ClientCredentials) async throws {
        try checkLength(of: token)
        var form = client.fields
        form.append(("token", token))
        form.append(("token_type_hint", hint.rawValue))
        _ = try await post(ApplePath.revoke, form, as: client, for: .token(token))
    }

    private func grant(
        _ form: [(name: String, value: String)],
        as client: ClientCredentials,
        for purpose: SentRequest.Purpose
    ) async throws -> TokenAnswer {
        let answer = try await post(ApplePath.token, form, as: client, for: purpose)
        history.noteAccepted(client.clientID)
        guard let response = try? TokenResponse(parsing: answer.body) else {
            throw SignInError(
                .appleAnswerUnreadable,
                hint: "the token endpoint responded with 200 and no tokens"
            )
        }
        return try TokenAnswer(response, receivedAt: exchange.time.now)
    }

    private func post(
        _ path: String,
        _ form: [(name: String, value: String)],
        as client: ClientCredentials,
        for purpose: SentRequest.Purpose
    ) async throws -> AppleExchange.Answer {
        let answer = try await exchange.post(path, form: form)
        guard answer.status != 200 else { return answer }
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

extension TokenAnswer {
    fileprivate init(_ response: TokenResponse, receivedAt now: Date) throws(SignInError) {
        guard let identityToken = response.identityToken else {
            throw SignInError(
                .appleAnswerUnreadable,
                hint: "the token endpoint responded without an identity token"
            )
        }
        // RFC 6749, section 7.1: a client must not use an access token of an unknown type.
        // https://www.rfc-editor.org/rfc/rfc6749#section-7.1
        guard response.tokenType.lowercased() == "bearer",
            (0...TokenEndpoint.maximumAccessTokenLifetime).contains(response.expiresIn),
            !response.accessToken.isEmpty, response.refreshToken?.isEmpty != true
        else {
            throw SignInError(
                .appleAnswerUnreadable,
                hint: "the token endpoint responded with an unknown type or an invalid lifetime"
            )
        }
        accessToken = response.accessToken
        expirationTime = now.addingTimeInterval(TimeInterval(response.expiresIn))
        refreshToken = response.refreshToken
        self.identityToken = identityToken
    }
}

/// The client's credentials in a form to Apple.
struct ClientCredentials: Sendable {
    let clientID: ClientID
    let secret: String

    var fields: [(name: String, value: String)] {
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
