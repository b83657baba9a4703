import AppleIdentity
import Foundation

/// Apple's endpoints for codes and tokens.
///
/// Source: [Token validation](https://developer.apple.com/documentation/signinwithapplerestapi/generate-and-validate-tokens),
/// [Token revocation](https://developer.apple.com/documentation/signinwithapplerestapi/revoke-tokens)
struct TokenEndpoint: Sendable {
    /// The longest code or token sent, in bytes; Apple's have 64.
    static let maximumTokenByteCount = 2048
    /// The longest life of an access token believed, in seconds; Apple's live 3600.
    static let maximumAccessTokenLifetime = 86_400

    let exchange: AppleExchange
    /// Which clients are Services IDs, for explaining refusals; nil when nobody said.
    let servicesIDs: Set<ClientID>?
    let history: SentHistory

    func redeem(
        code: String,
        redirectURI: String?,
        receivedAt: Date?,
        as client: ClientCredentials
    ) async throws -> TokenAnswer {
        try checkLength(of: code)
        var form = client.fields
        form.append(("grant_type", "authorization_code"))
        form.append(("code", code))
        // Apple asks for the address exactly when one was used at its page.
        if let redirectURI { form.append(("redirect_uri", redirectURI)) }
        let sentCode = SentCode(
            text: code,
            redirectURI: redirectURI,
            receivedAt: receivedAt,
            sentBefore: history.noteCode(code, at: exchange.time.now)
        )
        do {
            return try await grant(form, as: client, for: .code(sentCode))
        } catch {
            // Also of a cancelled request nobody knows whether Apple granted it.
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
                hint: "the token endpoint answered 200 with something else than tokens"
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
                hint: "it was not sent: it is empty or longer than any code or token of Apple"
            )
        }
    }
}

extension TokenAnswer {
    fileprivate init(_ response: TokenResponse, receivedAt now: Date) throws(SignInError) {
        guard let identityToken = response.identityToken else {
            throw SignInError(
                .appleAnswerUnreadable,
                hint: "the token endpoint answered without an identity token"
            )
        }
        // RFC 6749, section 7.1: a client must not use an access token of a type it doesn't know.
        // https://www.rfc-editor.org/rfc/rfc6749#section-7.1
        guard response.tokenType.lowercased() == "bearer",
            (0...TokenEndpoint.maximumAccessTokenLifetime).contains(response.expiresIn),
            !response.accessToken.isEmpty, response.refreshToken?.isEmpty != true
        else {
            throw SignInError(
                .appleAnswerUnreadable,
                hint: "the token endpoint answered with a token of an unknown type or lifetime"
            )
        }
        accessToken = response.accessToken
        expirationTime = now.addingTimeInterval(TimeInterval(response.expiresIn))
        refreshToken = response.refreshToken
        self.identityToken = identityToken
    }
}

/// What a client shows of itself in a form to Apple.
struct ClientCredentials: Sendable {
    let clientID: ClientID
    let secret: String

    var fields: [(name: String, value: String)] {
        [("client_id", clientID.rawValue), ("client_secret", secret)]
    }
}

/// Which kind of token is to be revoked.
///
/// Source: [Token revocation](https://developer.apple.com/documentation/signinwithapplerestapi/revoke-tokens)
public enum TokenTypeHint: String, Hashable, Sendable, Codable {
    /// A refresh token.
    case refreshToken = "refresh_token"
    /// An access token.
    case accessToken = "access_token"
}
