import AppleIdentity
import SignedTokens

/// The kinds of signed text between a server, Apple and services, with the text of the line about the kind.
enum TokenKind: String {
    case identityToken = "the claims of an identity token"
    case notification = "a notification about an event of a user's account"
    case accessToken = "an access token of an accounts server, for one service"
    case clientSecret = "a client secret: created by a team for Apple"
    /// A notification or transaction of the App Store, which is not about signing in.
    case appStoreData = "signed data of the App Store, not of Sign in with Apple"

    /// Finds the kind in the content; it is only explained, never trusted.
    init(algorithm: String, claims: JSONObject, issuer: String) {
        if claims["events"] != nil {
            self = .notification
        } else if claims["iss"] == nil, claims["signedDate"] != nil {
            self = .appStoreData
        } else {
            let isSecret = Self.isClientSecret(algorithm, claims, issuer)
            self = isSecret ? .clientSecret : .identityToken
        }
    }

    /// Apple's own issuer is a URL, and the issuer of a client secret is a team.
    ///
    /// A client secret with a wrong team is found by its algorithm or its audience.
    private static func isClientSecret(
        _ algorithm: String,
        _ claims: JSONObject,
        _ issuer: String
    ) -> Bool {
        let team = claims["iss"]?.stringValue ?? ""
        if TeamID(team).isWellFormed { return true }
        guard !team.contains("://") else { return false }
        let audience = claims["aud"]?.stringValue ?? ""
        return algorithm == SignatureAlgorithm.es256.rawValue || audience.hasPrefix(issuer)
            || audience.contains(".apple.com")
    }
}
