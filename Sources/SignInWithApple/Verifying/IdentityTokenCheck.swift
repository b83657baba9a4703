import AppleIdentity
import Foundation
import SignedTokens

/// The checks of an identity token's claims, in the order they are made.
enum IdentityTokenCheck: CaseIterable {
    case subject
    case issuer
    case audience
    case expirationTime
    case issueTime
    case notBefore
    case nonce
    case codeHash
    case accessTokenHash

    func apply(
        _ rules: IdentityTokenRules,
        to claims: IdentityTokenClaims
    ) throws(SignInError) {
        switch self {
        case .subject: try Self.checkSubject(claims)
        case .issuer: try Self.checkIssuer(claims, rules)
        case .audience: try Self.checkAudience(claims, rules)
        case .expirationTime: try Self.checkExpirationTime(claims, rules)
        case .issueTime: try Self.checkIssueTime(claims, rules)
        case .notBefore: try Self.checkNotBefore(claims, rules)
        case .nonce: try NonceCheck.apply(rules.expectation.nonce, to: claims)
        case .codeHash: try Self.checkCodeHash(claims, rules)
        case .accessTokenHash: try Self.checkAccessTokenHash(claims, rules)
        }
    }

    private static func checkSubject(_ claims: IdentityTokenClaims) throws(SignInError) {
        let byteCount = claims.subject.rawValue.utf8.count
        guard (1...IdentityTokenRules.maximumSubjectByteCount).contains(byteCount) else {
            throw SignInError(.tokenMalformed, hint: "its sub is empty or too long")
        }
    }

    /// OpenID Connect Core, section 3.1.3.7, rule 2: the issuer must match exactly.
    /// https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation
    private static func checkIssuer(
        _ claims: IdentityTokenClaims,
        _ rules: IdentityTokenRules
    ) throws(SignInError) {
        guard ExactText.isSame(claims.issuer, rules.issuer) else {
            throw SignInError(
                .tokenIssuerMismatch,
                hint: "it was issued by \(Excerpt.quoting(claims.issuer)), not by \(rules.issuer)"
            )
        }
    }

    /// OpenID Connect Core, section 3.1.3.7, rule 3: the client must be in the audience, and the
    /// token be refused when the audience has members that are not trusted.
    /// https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation
    private static func checkAudience(
        _ claims: IdentityTokenClaims,
        _ rules: IdentityTokenRules
    ) throws(SignInError) {
        let clients = claims.audience.clients
        guard !clients.isEmpty, let first = clients.first else {
            throw SignInError(.tokenAudienceMismatch, hint: "it is meant for nobody")
        }
        for client in clients where !rules.accepts(client) {
            let named = clients.count == 1 ? Excerpt.quoting(first.rawValue) : "several clients"
            let accepted = rules.acceptedClientIDs.map(\.rawValue).sorted().joined(separator: ", ")
            throw SignInError(
                .tokenAudienceMismatch,
                hint: "it is meant for \(named); accepted here: \(accepted)"
            )
        }
    }

    /// RFC 7519, section 4.1.4: not to be used at or after its end, but for a small leeway.
    /// https://www.rfc-editor.org/rfc/rfc7519#section-4.1.4
    private static func checkExpirationTime(
        _ claims: IdentityTokenClaims,
        _ rules: IdentityTokenRules
    ) throws(SignInError) {
        let end = claims.expirationTime.addingTimeInterval(IdentityTokenRules.leewaySeconds)
        guard rules.now < end else {
            throw SignInError(
                .tokenExpired,
                hint: "it ended at \(DateText.text(claims.expirationTime)); "
                    + "now is \(DateText.text(rules.now))"
            )
        }
    }

    private static func checkIssueTime(
        _ claims: IdentityTokenClaims,
        _ rules: IdentityTokenRules
    ) throws(SignInError) {
        let latest = rules.now.addingTimeInterval(IdentityTokenRules.leewaySeconds)
        guard claims.issuedAt <= latest else {
            throw SignInError(
                .tokenNotYetValid,
                hint: "it was issued at \(DateText.text(claims.issuedAt)), in the future; "
                    + "now is \(DateText.text(rules.now))"
            )
        }
    }

    /// RFC 7519, section 4.1.5: not to be used before this time, but for a small leeway.
    /// https://www.rfc-editor.org/rfc/rfc7519#section-4.1.5
    private static func checkNotBefore(
        _ claims: IdentityTokenClaims,
        _ rules: IdentityTokenRules
    ) throws(SignInError) {
        guard let notBefore = claims.notBefore else { return }
        guard notBefore <= rules.now.addingTimeInterval(IdentityTokenRules.leewaySeconds) else {
            throw SignInError(
                .tokenNotYetValid,
                hint: "it is good from \(DateText.text(notBefore)) on; "
                    + "now is \(DateText.text(rules.now))"
            )
        }
    }

    /// OpenID Connect Core, section 3.3.2.11: a token that comes with a code carries its hash.
    /// https://openid.net/specs/openid-connect-core-1_0.html#HybridIDToken
    private static func checkCodeHash(
        _ claims: IdentityTokenClaims,
        _ rules: IdentityTokenRules
    ) throws(SignInError) {
        guard let code = rules.expectation.authorizationCode else { return }
        guard let codeHash = claims.codeHash else {
            throw SignInError(
                .tokenCodeHashMismatch,
                hint: "a code came with it, and it has no c_hash"
            )
        }
        guard ExactText.isSame(codeHash, HalfHash.make(of: code)) else {
            throw SignInError(
                .tokenCodeHashMismatch,
                hint: "its c_hash is not the hash of the code that came with it"
            )
        }
    }

    /// OpenID Connect Core, section 3.1.3.8: the hash is optional, and checked when it is there.
    /// https://openid.net/specs/openid-connect-core-1_0.html#CodeFlowTokenValidation
    private static func checkAccessTokenHash(
        _ claims: IdentityTokenClaims,
        _ rules: IdentityTokenRules
    ) throws(SignInError) {
        guard let accessToken = rules.expectation.accessToken,
            let accessTokenHash = claims.accessTokenHash
        else { return }
        guard ExactText.isSame(accessTokenHash, HalfHash.make(of: accessToken)) else {
            throw SignInError(
                .tokenAccessTokenHashMismatch,
                hint: "its at_hash is not the hash of the access token that came with it"
            )
        }
    }
}
