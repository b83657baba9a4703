import Foundation
import LimitedTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests to your own servers.
extension SignInSession {
    /// Returns an access token for one of your own services; see
    /// ``SignInClient/accessToken(for:minimumLife:forceRefresh:)``.
    ///
    /// - Parameters:
    ///   - audience: the name of the service, one of the server's `SIWA_TOKEN_AUDIENCES`.
    ///   - minimumLife: how long a token must still be valid to be used again.
    ///   - forceRefresh: whether to fetch another token.
    /// - Returns: a token.
    /// - Throws: ``SignInKitError``.
    public nonisolated func accessToken(
        for audience: String,
        minimumLife: Duration = .seconds(60),
        forceRefresh: Bool = false
    ) async throws(SignInKitError) -> String {
        try await client.accessToken(
            for: audience,
            minimumLife: minimumLife,
            forceRefresh: forceRefresh
        )
    }

    /// Adds a token to a request to your own server.
    ///
    /// - Parameters:
    ///   - request: the request, which gets `Authorization: Bearer`. It must use https, or http on a loopback host.
    ///   - audience: the service that gets an access token; nil for the accounts server, which gets the session's token.
    ///   - forceRefresh: whether to fetch another access token.
    /// - Throws: ``SignInKitError``; `insecureServer` for another URL.
    public nonisolated func authorized(
        _ request: inout URLRequest,
        for audience: String? = nil,
        forceRefresh: Bool = false
    ) async throws(SignInKitError) {
        guard let url = request.url, ServerConnection.isSecure(url) else {
            throw SignInKitError(.insecureServer)
        }
        let token =
            if let audience {
                try await accessToken(for: audience, forceRefresh: forceRefresh)
            } else { try await token() }
        request.setValue("Bearer " + token, forHTTPHeaderField: "Authorization")
    }

    /// Sends a request with a token, and once more with another token if the server answers 401.
    ///
    /// If the accounts server has ended the session, the session ends here too. A redirect is not followed: it is the
    /// response, because the token is for this server only.
    ///
    /// - Parameters:
    ///   - request: the request to your own server. A body that is a stream cannot be sent twice.
    ///   - audience: the service that gets an access token; nil for the accounts server, which gets the session's token.
    ///   - transport: the URL session; by default one without cookies and cache, which could answer another user.
    /// - Returns: the response, whatever its status.
    /// - Throws: ``SignInKitError``; `insecureServer` for a URL without https, `notSignedIn` if the session has ended or
    ///   another user has signed in. Or the error of the URL session.
    public nonisolated func data(
        for request: URLRequest,
        audience: String? = nil,
        transport: URLSession? = nil
    ) async throws -> (Data, URLResponse) {
        var request = request
        try await authorized(&request, for: audience)
        let transport = transport ?? .withoutRedirects
        let account = await client.profile?.id
        let (data, response) = try await transport.data(for: request, delegate: NoRedirects())
        guard (response as? HTTPURLResponse)?.statusCode == 401 else { return (data, response) }
        // Without an audience the token is the session's, which is either valid or over.
        if audience == nil { _ = try await client.refreshAccount() }
        try await authorized(&request, for: audience, forceRefresh: true)
        guard await client.profile?.id == account else { throw SignInKitError(.notSignedIn) }
        return try await transport.data(for: request, delegate: NoRedirects())
    }
}
