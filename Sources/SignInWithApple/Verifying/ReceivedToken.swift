import AppleIdentity
import Foundation
import SignedTokens

/// A text that claims to be an identity token: split, of the right algorithm, not yet verified.
struct ReceivedToken: Sendable {
    let keyID: String
    private let token: UnverifiedToken

    init(_ compact: String, issuer: String) throws(SignInError) {
        let token: UnverifiedToken
        do {
            token = try UnverifiedToken(compact)
        } catch {
            throw SignInError(error)
        }
        // RFC 8725, section 3.1: identity tokens are signed with RS256 and nothing else.
        // https://www.rfc-editor.org/rfc/rfc8725#section-3.1
        guard token.algorithm == .rs256 else {
            throw Self.refusal(of: token, issuer: issuer)
        }
        guard let keyID = token.header.keyID, !keyID.isEmpty else {
            throw SignInError(.tokenMalformed, hint: "its header names no key (kid)")
        }
        self.keyID = keyID
        self.token = token
    }

    /// The claims, after their signature was checked.
    func claims(signedWith key: VerificationKey) throws(SignInError) -> IdentityTokenClaims {
        let verified: VerifiedToken
        do {
            verified = try token.verified(with: key)
        } catch {
            throw SignInError(error)
        }
        let reading = verified.withPayload { payload in
            Result { () throws(ClaimsError) in try IdentityTokenClaims(payload) }
        }
        do {
            return try reading.get()
        } catch {
            throw SignInError(error)
        }
    }

    /// The unverified payload decides no more than which refusal is told.
    private static func refusal(of token: UnverifiedToken, issuer: String) -> SignInError {
        let claims = try? JSONObject(parsing: token.unverifiedPayload)
        let audience = claims?["aud"].flatMap(Audience.init)
        guard audience?.clients.contains(ClientID(issuer)) == true else {
            return SignInError(
                .tokenUnsupportedAlgorithm,
                hint: "its header names \(token.algorithm.rawValue); Apple signs with RS256"
            )
        }
        return SignInError(
            .tokenWrongKind,
            hint: "it is a client secret: signed with ES256 and meant for Apple"
        )
    }
}
