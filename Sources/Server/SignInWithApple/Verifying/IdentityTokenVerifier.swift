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
    var duration = IdentityTokenVerifier.timer(nil)

    static func timer(_ metrics: (any MetricsFactory)?) -> OnFirstUse<CoreMetrics.Timer> {
        OnFirstUse {
            CoreMetrics.Timer(
                label: "siwa_token_verification_seconds",
                factory: metrics ?? MetricsSystem.factory
            )
        }
    }

    func verify(
        _ compact: String,
        expecting expectation: IdentityTokenExpectation
    ) async throws -> VerifiedIdentity {
        let now = time.now
        defer { duration.value.recordSeconds(time.now.timeIntervalSince(now)) }
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
