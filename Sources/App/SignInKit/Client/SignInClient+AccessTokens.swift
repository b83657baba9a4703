import Foundation

/// A token for one service, of one session.
struct CachedAccessToken: Sendable {
    let text: String
    let sessionToken: String
    let receivedAt: Date
}

extension SignInClient {
    /// Returns an access token for one of your own services (`Authorization: Bearer`).
    ///
    /// The token is valid for that service only, and does not give access to the account. The service checks it with the
    /// accounts server's public keys. A token is used for four minutes, and then replaced.
    ///
    /// - Parameter audience: the name of the service, one of the server's `SIWA_TOKEN_AUDIENCES`.
    /// - Returns: a token that is valid for at least another minute, unless the session ends.
    /// - Throws: ``SignInKitError``; `notSignedIn` if the session has ended, `refused(code:)` if the server issues no
    ///   tokens for the service.
    public func accessToken(for audience: String) async throws(SignInKitError) -> String {
        try await load()
        let session = try keptToken()
        if let known = accessTokens[audience], known.sessionToken == session {
            // A clock that was set back makes an age negative, which proves nothing.
            let age = time.now.timeIntervalSince(known.receivedAt)
            if age >= 0, age < SignInLimits.accessTokenTime / .seconds(1) { return known.text }
        }
        let receivedAt = time.now
        let text = try await withSession(.accessToken(for: audience))
        accessTokens[audience] = CachedAccessToken(
            text: text,
            sessionToken: session,
            receivedAt: receivedAt
        )
        return text
    }
}
