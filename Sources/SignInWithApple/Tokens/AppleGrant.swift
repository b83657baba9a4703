import AppleIdentity
import Foundation

/// What Apple gave for an authorization code or a refresh token.
public struct AppleGrant: Sendable, Hashable {
    /// Who it is about; the answer's identity token passed every check.
    public let identity: VerifiedIdentity
    /// Good for moving a person between teams and for revoking, nothing else.
    public let accessToken: String
    /// When the access token ends.
    public let accessTokenExpirationTime: Date
    /// Answered to a code only: it does not expire and must be kept sealed.
    public let refreshToken: String?
}

/// What Apple answered to a code, before its identity token was verified.
///
/// It shows nothing of its content: only a verified grant may be acted on. Whoever keeps one can
/// verify it again later, when Apple's keys could not be had at first; the code is spent by then.
package struct UnverifiedGrant: Sendable, Codable {
    let answer: TokenAnswer
    let clientID: ClientID
}

/// What Apple's token endpoint granted; the identity token in it is not verified yet.
struct TokenAnswer: Sendable, Codable {
    let accessToken: String
    let expirationTime: Date
    let refreshToken: String?
    let identityToken: String
}
