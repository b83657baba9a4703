import AppleIdentity
import Foundation
import SignedTokens

/// Turns an identity token that somebody handed in into an identity, or says why not.
///
/// Source: [Verifying a user](https://developer.apple.com/documentation/signinwithapple/verifying-a-user)
struct IdentityTokenVerifier: Sendable {
    let keys: KeyCache
    let issuer: String
    let clientIDs: Set<ClientID>
    let time: TimeSource

    func verify(
        _ compact: String,
        expecting expectation: IdentityTokenExpectation
    ) async throws -> VerifiedIdentity {
        let received = try ReceivedToken(compact, issuer: issuer)
        let now = time.now
        // The usual case waits for nobody and asks for the time once.
        if let key = keys.freshKey(named: received.keyID, at: now) {
            return try identity(in: received, signedWith: key, expecting: expectation, at: now)
        }
        let key = try await keys.key(named: received.keyID)
        return try identity(in: received, signedWith: key, expecting: expectation, at: time.now)
    }

    private func identity(
        in received: ReceivedToken,
        signedWith key: VerificationKey,
        expecting expectation: IdentityTokenExpectation,
        at now: Date
    ) throws(SignInError) -> VerifiedIdentity {
        let claims = try received.claims(signedWith: key)
        let rules = IdentityTokenRules(
            issuer: issuer,
            clientIDs: clientIDs,
            expectation: expectation,
            now: now
        )
        for check in IdentityTokenCheck.allCases {
            try check.apply(rules, to: claims)
        }
        // The audience check leaves only own clients, so that the first is the one meant.
        guard let clientID = claims.audience.clients.first else {
            throw SignInError(.tokenAudienceMismatch, hint: "it is meant for nobody")
        }
        return VerifiedIdentity(claims, clientID: clientID)
    }
}
