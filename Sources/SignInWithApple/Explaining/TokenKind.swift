import AppleIdentity
import Foundation
import SignedTokens

/// The kinds of signed text that go between a server and Apple.
enum TokenKind {
    case identityToken
    case notification
    case clientSecret

    /// Tells by what is written in it; nothing is believed by this, only explained.
    init(_ token: UnverifiedToken, issuer: String) {
        let claims = (try? JSONValue(parsing: token.unverifiedPayload))?.objectValue
        if claims?["events"] != nil {
            self = .notification
        } else if token.algorithm == .es256, claims?["aud"]?.stringValue == issuer {
            self = .clientSecret
        } else {
            self = .identityToken
        }
    }

    /// What the line about the kind says.
    var words: String {
        switch self {
        case .identityToken: "the claims of an identity token"
        case .notification: "a notification: it tells what happened to a person's account"
        case .clientSecret: "a client secret: made by a team, and meant for Apple"
        }
    }
}
