import AppleIdentity
import Foundation
import SignedTokens

/// Makes the verifier's checks of a token, and records each result instead of stopping.
struct TokenExplainer {
    typealias Line = TokenExplanation.Line

    let keys: JSONWebKeySet?
    let audience: [ClientID]
    let expectation: IdentityTokenExpectation
    let issuer: String
    let now: Date

    /// Explains a token, the body of a notification with the token as its `payload`, or an error response of Apple.
    func explain(_ text: String) -> TokenExplanation {
        guard text.hasPrefix("{") else { return explain(compact: text) }
        if let refusal = try? OAuthErrorResponse(parsing: Data(text.utf8)) {
            return explain(refusal)
        }
        do {
            return explain(compact: try NotificationBody(Data(text.utf8)).payload)
        } catch {
            return TokenExplanation(lines: [failure("form", error)])
        }
    }

    /// Lists the possible causes of an error response; the request that caused it is not known.
    private func explain(_ refusal: OAuthErrorResponse) -> TokenExplanation {
        let sent = SentRequest(
            purpose: .unknown,
            client: ClientCredentials(clientID: audience.first ?? "", secret: ""),
            audience: issuer,
            time: now
        )
        let words = Excerpt.quoting(refusal.errorDescription ?? refusal.error.rawValue)
        let error = Line(.failed, "error", words, code: AppleRefusal.code(of: refusal))
        var causes = sent.causes(of: refusal, appleTime: nil)
            .map { Line(.fact, $0.code.rawValue, $0.description) }
        if refusal.error == .invalidClient {
            let advice = "explain the client secret that was sent; it shows most causes"
            causes.append(Line(.fact, "client secret", advice))
        }
        return TokenExplanation(lines: causes + [error])
    }

    private func explain(compact: String) -> TokenExplanation {
        let facts = TokenFacts.lines(compact)
        let token: UnverifiedToken
        do {
            token = try UnverifiedToken(compact)
        } catch {
            let refusal = refusal(of: compact, error)
            return TokenExplanation(kind: refusal.kind, lines: facts + refusal.lines)
        }
        let size = "\(compact.utf8.count) bytes"
        let form = Line(.passed, "form", "three parts of strict base64url, \(size)")
        let kind =
            ReceivedAccessToken.hasType(token.header)
            ? .accessToken : kind(of: compact, algorithm: token.algorithm.rawValue)
        let checks =
            switch kind {
            case .accessToken:
                signatureLines(token, "ES256, as in all access tokens") { () throws(SignInError) in
                    try ReceivedAccessToken(compact).keyID
                } + accessTokenLines(token)
            case .clientSecret: clientSecretLines(token, compact)
            case .identityToken: appleSignatureLines(token, compact) + identityTokenLines(token)
            case .notification: appleSignatureLines(token, compact) + notificationLines(token)
            case .appStoreData: [Line(.failed, "kind", kind.rawValue, code: .tokenWrongKind)]
            }
        return TokenExplanation(kind: kind, lines: facts + [form] + checks)
    }

    private func kind(of compact: String, algorithm: String) -> TokenKind {
        let claims = TokenFacts.claims(of: compact)
        return TokenKind(algorithm: algorithm, claims: claims, issuer: issuer)
    }

    /// The lines of a string that is not a token, or of a token with an unsupported algorithm.
    private func refusal(
        of compact: String,
        _ error: SignedTokenError
    ) -> (kind: TokenKind?, lines: [Line]) {
        guard case .unsupportedAlgorithm(let name) = error else {
            return (nil, [failure("form", SignInError(error))])
        }
        let kind = kind(of: compact, algorithm: name)
        guard kind == .clientSecret else {
            return (kind, [failure("algorithm", SignInError(error))])
        }
        return (kind, [wrongSecretAlgorithm(name), Line(.passed, "kind", kind.rawValue)])
    }

    private func appleSignatureLines(_ token: UnverifiedToken, _ compact: String) -> [Line] {
        signatureLines(token, "RS256, as in all of Apple's tokens") { () throws(SignInError) in
            try ReceivedToken(compact, issuer: issuer).keyID
        }
    }

    private func signatureLines(
        _ token: UnverifiedToken,
        _ algorithm: String,
        keyID: () throws(SignInError) -> String
    ) -> [Line] {
        do {
            let keyID = try keyID()
            return [Line(.passed, "algorithm", algorithm)] + keyLines(token, keyID)
        } catch {
            return [failure("algorithm", error)]
        }
    }

    private func keyLines(_ token: UnverifiedToken, _ keyID: String) -> [Line] {
        guard let keys else {
            return [Line(.open, "signature", "no keys were given to verify it")]
        }
        let name = Excerpt.quoting(keyID)
        guard let key = keys.verificationKeys()[keyID] else {
            let hint = "none of the \(keys.keys.count) keys has the ID \(name)"
            return [failure("key", SignInError(.tokenUnknownKey, hint: hint))]
        }
        return [Line(.passed, "key", "\(name) is published"), signature(of: token, key)]
    }

    func signature(of token: UnverifiedToken, _ key: VerificationKey) -> Line {
        do {
            _ = try token.verified(with: key)
            return Line(.passed, "signature", "valid for that key")
        } catch {
            return failure("signature", SignInError(error))
        }
    }

    func failure(_ subject: String, _ error: SignInError) -> Line {
        Line(.failed, subject, error.hint, code: error.code)
    }
}

extension TokenExplainer {
    private func accessTokenLines(_ token: UnverifiedToken) -> [Line] {
        do {
            let claims = try AccessTokenClaims(token.unverifiedPayload)
            return [Line(.passed, "kind", TokenKind.accessToken.rawValue)] + checkLines(claims)
        } catch {
            return [failure("kind", error)]
        }
    }

    private func identityTokenLines(_ token: UnverifiedToken) -> [Line] {
        do {
            let claims = try IdentityTokenClaims(parsing: token.unverifiedPayload)
            return [Line(.passed, "kind", TokenKind.identityToken.rawValue)] + checkLines(claims)
                + bindingLines(claims)
        } catch {
            // A token with another algorithm has been rejected already.
            return token.algorithm == .rs256 ? [failure("kind", SignInError(error))] : []
        }
    }

    private func notificationLines(_ token: UnverifiedToken) -> [Line] {
        let claims: NotificationClaims
        do {
            claims = try NotificationClaims(token.unverifiedPayload)
        } catch {
            return [failure("kind", SignInError(notification: error))]
        }
        let time = DateText.text(claims.event.eventTime)
        let event = Line(.passed, "event", "\(claims.event.kind.words), at \(time)")
        let name = line("name", "identifies repeated deliveries", claims.checkName)
        return [Line(.passed, "kind", TokenKind.notification.rawValue), event, name]
            + checkLines(claims)
    }

    private func checkLines(_ claims: some TokenClaims) -> [Line] {
        let rules = TokenRules(
            issuer: issuer,
            clientIDs: Set(audience),
            expectedClientIDs: expectation.clientIDs,
            now: now
        )
        return TokenCheck.allCases.map { check in
            if check == .audience, audience.isEmpty {
                return Line(.open, check.rawValue, "no audience was given to compare with")
            }
            if check == .issuer, claims is AccessTokenClaims, issuer == AppleService.appleIssuer {
                return Line(.open, check.rawValue, "no issuer was given to compare with")
            }
            if check == .notBefore, claims.notBefore == nil {
                let usual = claims is AccessTokenClaims ? "it is optional" : "Apple sends none"
                return Line(.skipped, check.rawValue, "not in the token; \(usual)")
            }
            return line(check.rawValue, words(for: check, claims)) { () throws(SignInError) in
                try check.apply(rules, to: claims)
            }
        }
    }

    private func line(
        _ subject: String,
        _ words: String,
        _ check: () throws(SignInError) -> Void
    ) -> Line {
        do {
            try check()
            return Line(.passed, subject, words)
        } catch {
            return failure(subject, error)
        }
    }

    private func words(for check: TokenCheck, _ claims: some TokenClaims) -> String {
        switch check {
        case .subject: "names a user"
        case .issuer: "exactly \(issuer)"
        case .audience:
            "issued for \(claims.audience.clients.map(\.rawValue).joined(separator: ", "))"
        case .expirationTime: "not expired at \(DateText.text(now))"
        case .issueTime: "issued before \(DateText.text(now))"
        case .notBefore: "already valid at \(DateText.text(now))"
        }
    }

    /// The checks that compare with values of the caller.
    private func bindingLines(_ claims: IdentityTokenClaims) -> [Line] {
        BindingCheck.allCases.map { check in
            openLine(check, claims)
                ?? line(check.rawValue, words(for: check, claims)) { () throws(SignInError) in
                    try check.apply(expectation, to: claims)
                }
        }
    }

    /// The line of a check that cannot be made; nil if it can.
    private func openLine(_ check: BindingCheck, _ claims: IdentityTokenClaims) -> Line? {
        switch check {
        case .nonce:
            guard expectation.nonce == .unchecked else { return nil }
            return Line(
                .open,
                check.rawValue,
                claims.nonce == nil
                    ? "not in the token; valid only if the request sent none"
                    : "the request's nonce is needed for comparison"
            )
        case .codeHash:
            guard expectation.authorizationCode == nil else { return nil }
            return line(check, claims.codeHash, needs: "the authorization code")
        case .accessTokenHash:
            guard expectation.accessToken == nil || claims.accessTokenHash == nil else {
                return nil
            }
            return line(check, claims.accessTokenHash, needs: "the access token")
        }
    }

    private func line(_ check: BindingCheck, _ hash: String?, needs counterpart: String) -> Line {
        hash == nil
            ? Line(.skipped, check.rawValue, "not in the token; it is optional")
            : Line(.open, check.rawValue, "\(counterpart) is needed for comparison")
    }

    private func words(for check: BindingCheck, _ claims: IdentityTokenClaims) -> String {
        switch check {
        case .nonce where claims.nonce == nil: "none in the token, and none was sent"
        case .nonce: "the request's, unchanged or as its SHA-256"
        case .codeHash: "of the code that came with it"
        case .accessTokenHash: "of the access token that came with it"
        }
    }
}

extension NotificationEvent.Kind {
    fileprivate var words: String {
        switch self {
        case .emailDisabled: "the user turned off forwarding from the relay address"
        case .emailEnabled: "the user turned on forwarding from the relay address"
        case .consentRevoked: "the user stopped using the app"
        case .accountDelete, .accountDeleted: "the user deleted the Apple Account"
        default: "of a kind unknown to this version, \(Excerpt.quoting(rawValue))"
        }
    }
}
