import AppleIdentity
import CoreMetrics
import Foundation
import SignedTokens

/// Verifies an identity token.
///
/// Source: [Verifying a user](https://developer.apple.com/documentation/signinwithapple/verifying-a-user)
struct IdentityTokenVerifier: Sendable {
    let keys: KeyCache
    let issuer: String
    let clientIDs: Set<ClientID>
    let relayDomains: RelayDomains
    let time: TimeSource
    /// The duration of a verification, including the fetch of a missing key.
    var duration = IdentityTokenVerifier.timer(MetricsSystem.factory)

    static func timer(_ metrics: any MetricsFactory) -> CoreMetrics.Timer {
        CoreMetrics.Timer(label: "siwa_token_verification_seconds", factory: metrics)
    }

    func verify(
        _ compact: String,
        expecting expectation: IdentityTokenExpectation
    ) async throws -> VerifiedIdentity {
        let now = time.now
        defer { duration.recordSeconds(time.now.timeIntervalSince(now)) }
        let received = try ReceivedToken(compact, issuer: issuer)
        // The common case does not wait, and reads the clock once.
        if let key = keys.freshKey(named: received.keyID, at: now) {
            return try identity(in: received, signedWith: key, expecting: expectation, at: now)
        }
        let key = try await keys.key(of: received)
        return try identity(in: received, signedWith: key, expecting: expectation, at: time.now)
    }

    private func identity(
        in received: ReceivedToken,
        signedWith key: VerificationKey,
        expecting expectation: IdentityTokenExpectation,
        at now: Date
    ) throws(SignInError) -> VerifiedIdentity {
        let claims = try claims(in: received.verified(with: key))
        let rules = TokenRules(
            issuer: issuer,
            clientIDs: clientIDs,
            expectedClientIDs: expectation.clientIDs,
            now: now
        )
        for check in TokenCheck.allCases { try check.apply(rules, to: claims) }
        for check in BindingCheck.allCases { try check.apply(expectation, to: claims) }
        // The audience check permits only own clients, so the first one is the token's.
        guard let clientID = claims.audience.clients.first else {
            throw SignInError(.tokenAudienceMismatch, hint: "its audience is empty")
        }
        return VerifiedIdentity(claims, clientID: clientID, relayDomains: relayDomains)
    }

    private func claims(in token: VerifiedToken) throws(SignInError) -> IdentityTokenClaims {
        do {
            return try token.withPayload { payload throws(ClaimsError) in
                try IdentityTokenClaims(payload)
            }
        } catch {
            throw SignInError(error)
        }
    }
}

/// A token that is split and has the right algorithm, but is not verified.
struct ReceivedToken: Sendable {
    let keyID: String
    private let token: UnverifiedToken

    init(_ compact: String, issuer: String) throws(SignInError) {
        try self.init(compact) { token throws(SignInError) in
            // RFC 8725, section 3.1: Apple signs with RS256, and nothing else is accepted.
            // https://www.rfc-editor.org/rfc/rfc8725#section-3.1
            guard token.algorithm == .rs256 else { throw Self.refusal(of: token, issuer: issuer) }
        }
    }

    init(
        _ compact: String,
        checkingHeader check: (UnverifiedToken) throws(SignInError) -> Void
    ) throws(SignInError) {
        do {
            token = try UnverifiedToken(compact)
        } catch {
            throw SignInError(error)
        }
        try check(token)
        guard let keyID = token.header.keyID, !keyID.isEmpty else {
            throw SignInError(.tokenMalformed, hint: "its header has no kid")
        }
        self.keyID = keyID
    }

    /// The token, after its signature is checked.
    func verified(with key: VerificationKey) throws(SignInError) -> VerifiedToken {
        do {
            return try token.verified(with: key)
        } catch {
            throw SignInError(error)
        }
    }

    /// Whether a key signed the token, and its issue time is not after a time.
    func isSigned(with key: VerificationKey, by time: Date) -> Bool {
        guard let verified = try? verified(with: key),
            let issuedAt = try? JSONObject(parsing: verified.payload)["iat"]?.integerValue
        else { return false }
        return Date(timeIntervalSince1970: TimeInterval(issuedAt)) <= time
    }

    /// The unverified payload only selects the error.
    private static func refusal(of token: UnverifiedToken, issuer: String) -> SignInError {
        let claims = (try? JSONObject(parsing: token.unverifiedPayload)) ?? [:]
        let algorithm = token.algorithm.rawValue
        let kind = TokenKind(algorithm: algorithm, claims: claims, issuer: issuer)
        guard kind == .clientSecret else {
            return SignInError(
                .tokenUnsupportedAlgorithm,
                hint: "its header names \(algorithm); Apple signs with RS256"
            )
        }
        return SignInError(
            .tokenWrongKind,
            hint: "it is a client secret: signed with ES256, for Apple as its audience"
        )
    }
}
