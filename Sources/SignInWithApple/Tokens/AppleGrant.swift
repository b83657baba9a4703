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

    init(
        identity: VerifiedIdentity,
        accessToken: String,
        accessTokenExpirationTime: Date,
        refreshToken: String?
    ) {
        self.identity = identity
        self.accessToken = accessToken
        self.accessTokenExpirationTime = accessTokenExpirationTime
        self.refreshToken = refreshToken
    }
}
