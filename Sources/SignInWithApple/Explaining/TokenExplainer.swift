import AppleIdentity
import Foundation
import SignedTokens

/// Walks the verifier's way with a token, and writes down what it meets instead of stopping.
struct TokenExplainer {
    typealias Line = TokenExplanation.Line

    let keys: JSONWebKeySet?
    let audience: [ClientID]
    let issuer: String
    let now: Date

    /// Explains a token, or the body of a notification with the token as its `payload`.
    func explain(_ text: String) -> TokenExplanation {
        guard text.hasPrefix("{") else { return explain(compact: text) }
        do {
            return explain(compact: try NotificationBody(Data(text.utf8)).payload)
        } catch {
            return TokenExplanation(lines: [failure("form", error)])
        }
    }

    private func explain(compact: String) -> TokenExplanation {
        let facts = TokenFacts(compact).lines
        let token: UnverifiedToken
        do {
            token = try UnverifiedToken(compact)
        } catch {
            let refusal = SignInError(error)
            let subject = refusal.code == .tokenUnsupportedAlgorithm ? "algorithm" : "form"
            return TokenExplanation(lines: facts + [failure(subject, refusal)])
        }
        let size = "\(compact.utf8.count) bytes"
        let form = Line(.passed, "form", "three parts of strict base64url, \(size)")
        let kind = TokenKind(token, issuer: issuer)
        return TokenExplanation(
            kind: kind,
            lines: facts + [form] + lines(for: kind, token, compact)
        )
    }

    private func lines(
        for kind: TokenKind,
        _ token: UnverifiedToken,
        _ compact: String
    ) -> [Line] {
        switch kind {
        case .identityToken: signatureLines(token, compact) + claimLines(token)
        case .notification:
            signatureLines(token, compact)
                + NotificationExplainer(
                    rules: .init(issuer: issuer, clientIDs: Set(audience), now: now)
                )
                .lines(for: token.unverifiedPayload)
        case .clientSecret:
            ClientSecretExplainer(keys: keys, audience: audience, issuer: issuer, now: now)
                .lines(for: token, compact)
        }
    }

    private func signatureLines(_ token: UnverifiedToken, _ compact: String) -> [Line] {
        let received: ReceivedToken
        do {
            received = try ReceivedToken(compact, issuer: issuer)
        } catch {
            return [failure("algorithm", error)]
        }
        let algorithm = Line(.passed, "algorithm", "RS256, the one Apple signs with")
        guard let keys else {
            return [algorithm, Line(.skipped, "signature", "no keys were given to check it with")]
        }
        guard let key = keys.verificationKeys()[received.keyID] else {
            let error = SignInError(
                .tokenUnknownKey,
                hint: "none of the \(keys.keys.count) keys is named "
                    + Excerpt.quoting(received.keyID)
            )
            return [algorithm, failure("key", error)]
        }
        let found = Line(.passed, "key", "\(Excerpt.quoting(received.keyID)) is published")
        do {
            _ = try token.verified(with: key)
        } catch {
            return [algorithm, found, failure("signature", SignInError(error))]
        }
        return [algorithm, found, Line(.passed, "signature", "made by that key over these bytes")]
    }

    private func claimLines(_ token: UnverifiedToken) -> [Line] {
        let claims: IdentityTokenClaims
        do {
            claims = try IdentityTokenClaims(parsing: token.unverifiedPayload)
        } catch {
            // Another algorithm was refused already and needs no second refusal.
            return token.algorithm == .rs256 ? [failure("kind", SignInError(error))] : []
        }
        let kind = Line(.passed, "kind", TokenKind.identityToken.words)
        return [kind] + IdentityTokenCheck.allCases.map { line(for: $0, claims) }
    }

    private func line(for check: IdentityTokenCheck, _ claims: IdentityTokenClaims) -> Line {
        if let reason = reasonToSkip(check, claims) {
            return Line(.skipped, check.subject, reason)
        }
        let rules = IdentityTokenRules(
            issuer: issuer,
            clientIDs: Set(audience),
            expectation: IdentityTokenExpectation(nonce: .unchecked),
            now: now
        )
        do {
            try check.apply(rules, to: claims)
        } catch {
            return failure(check.subject, error)
        }
        return Line(.passed, check.subject, words(for: check, claims))
    }

    private func reasonToSkip(
        _ check: IdentityTokenCheck,
        _ claims: IdentityTokenClaims
    ) -> String? {
        switch check {
        case .audience where audience.isEmpty: "no audience was given to compare with"
        case .notBefore where claims.notBefore == nil: "not in the token; Apple sends none"
        case .nonce:
            claims.nonce == nil
                ? "not in the token; good only when the request sent none"
                : "the request's nonce is needed to compare with"
        case .codeHash:
            claims.codeHash == nil
                ? "not in the token; no code came with it"
                : "the authorization code is needed to compare with"
        case .accessTokenHash:
            claims.accessTokenHash == nil
                ? "not in the token; no access token came with it"
                : "the access token is needed to compare with"
        default: nil
        }
    }

    private func words(for check: IdentityTokenCheck, _ claims: IdentityTokenClaims) -> String {
        switch check {
        case .subject: "names a person"
        case .issuer: "exactly \(issuer)"
        case .audience:
            "meant for \(claims.audience.clients.map(\.rawValue).joined(separator: ", "))"
        case .expirationTime:
            "at \(DateText.text(now)) it has not ended"
        case .issueTime: "issued before \(DateText.text(now))"
        case .notBefore: "good already at \(DateText.text(now))"
        case .nonce, .codeHash, .accessTokenHash: "not compared"
        }
    }

    private func failure(_ subject: String, _ error: SignInError) -> Line {
        Line(.failed, subject, error.hint, code: error.code)
    }
}

extension IdentityTokenCheck {
    fileprivate var subject: String {
        switch self {
        case .subject: "subject"
        case .issuer: "issuer"
        case .audience: "audience"
        case .expirationTime: "expiry"
        case .issueTime: "issue time"
        case .notBefore: "not before"
        case .nonce: "nonce"
        case .codeHash: "code hash"
        case .accessTokenHash: "access token hash"
        }
    }
}
