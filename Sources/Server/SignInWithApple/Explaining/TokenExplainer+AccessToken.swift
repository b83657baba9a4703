import AppleIdentity
import Foundation
import SignedTokens

extension TokenExplainer {
    /// Makes the checks of ``AccessTokenVerifier``, for the access token of an accounts server.
    func accessTokenLines(_ token: UnverifiedToken, _ compact: String) -> [Line] {
        let received: ReceivedAccessToken
        do {
            received = try ReceivedAccessToken(compact)
        } catch {
            return [failure("algorithm", error)]
        }
        let algorithm = Line(.passed, "algorithm", "ES256, as in all access tokens")
        let kind = Line(.passed, "kind", TokenKind.accessToken.rawValue)
        let claims: AccessTokenClaims
        do {
            claims = try AccessTokenClaims(token.unverifiedPayload)
        } catch {
            return [algorithm, failure("kind", error)]
        }
        return [algorithm] + signatureLines(of: token, keyID: received.keyID) + [kind]
            + checkLines(claims)
    }
}

extension TokenExplanation {
    /// Whether a text names itself the access token of an accounts server, whose keys are not Apple's.
    package static func isAccessToken(_ text: String) -> Bool {
        (try? UnverifiedToken(text)).map { ReceivedAccessToken.hasType($0.header) } ?? false
    }
}
