import AppleIdentity
import SignedTokens

/// The kinds of signed text that go between a server and Apple, as the line about the kind says them.
enum TokenKind: String {
    case identityToken = "the claims of an identity token"
    case notification = "a notification: it tells what happened to a person's account"
    case clientSecret = "a client secret: made by a team, and meant for Apple"
    /// A notification or transaction of the App Store, which has nothing to do with signing in.
    case appStoreData = "signed data of the App Store, not of Sign in with Apple"

    /// Tells by what is written in it; nothing is believed by this, only explained.
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

    /// Apple's own issuer is an address, and the issuer of a client secret is a team.
    ///
    /// One whose team is wrong, too, shows by its algorithm or by whom it is meant for.
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
