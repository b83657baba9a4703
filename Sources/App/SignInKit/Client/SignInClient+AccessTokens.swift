import Foundation

/// A token for one service, of one session.
struct CachedAccessToken: Sendable {
    let text: String
    let sessionToken: String
    let receivedAt: Date
}

/// A request of one session, which concurrent calls share.
struct SharedRequest<Value: Sendable>: Sendable {
    let sessionToken: String
    let task: Task<Result<Value, SignInKitError>, Never>
}

extension SignInClient {
    /// Returns an access token for one of your own services (`Authorization: Bearer`).
    ///
    /// The token is valid for that service only, and does not give access to the account. The service checks it with the
    /// accounts server's public keys. A token is used again while it lives; concurrent calls share one request.
    ///
    /// - Parameters:
    ///   - audience: the name of the service, one of the server's `SIWA_TOKEN_AUDIENCES`.
    ///   - minimumLife: how long a token must still be valid to be used again; the server's are valid for five minutes.
    ///   - forceRefresh: whether to fetch another token, for example after the service answered 401.
    /// - Returns: a token, which the service accepts even if the session ends earlier.
    /// - Throws: ``SignInKitError``; `notSignedIn` if the session has ended, `refused(code:)` if the server issues no
    ///   tokens for the service.
    public func accessToken(
        for audience: String,
        minimumLife: Duration = .seconds(60),
        forceRefresh: Bool = false
    ) async throws(SignInKitError) -> String {
        try await load()
        let session = try keptToken()
        if let request = accessTokenRequests[audience], request.sessionToken == session {
            return try await request.task.value.get()
        }
        if !forceRefresh, let known = accessTokens[audience], known.sessionToken == session {
            // A clock that was set back makes an age negative, which proves nothing.
            let age = time.now.timeIntervalSince(known.receivedAt)
            let limit = (SignInLimits.accessTokenTime - minimumLife) / .seconds(1)
            if age >= 0, age <= limit { return known.text }
        }
        let task = Task { await fetchAccessToken(for: audience, session) }
        accessTokenRequests[audience] = SharedRequest(sessionToken: session, task: task)
        return try await task.value.get()
    }

    private func fetchAccessToken(
        for audience: String,
        _ session: String
    ) async -> Result<String, SignInKitError> {
        let receivedAt = time.now
        let result: Result<String, SignInKitError>
        do throws(SignInKitError) {
            result = .success(try await withSession(.accessToken(for: audience)))
        } catch {
            result = .failure(error)
        }
        guard accessTokenRequests[audience]?.sessionToken == session else { return result }
        accessTokenRequests[audience] = nil
        if case .success(let text) = result {
            accessTokens[audience] = CachedAccessToken(
                text: text,
                sessionToken: session,
                receivedAt: receivedAt
            )
        }
        return result
    }
}
