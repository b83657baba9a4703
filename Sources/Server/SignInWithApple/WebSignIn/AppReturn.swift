import AppleIdentity

/// What a server hands to an app whose user signed in on Apple's page in a browser.
extension AppleSignIn {
    /// Exchanges a code for an app that receives only tokens, not the code.
    ///
    /// The app sends both texts to the native route, which verifies them, within ten minutes. Here only the identity
    /// token that came with the code is verified, if there is one: a forged one costs no request to Apple.
    ///
    /// - Returns: Apple's identity token, and a `resumeToken` with the name and the encrypted response.
    /// - Throws: `SignInError`: an `apple_…` code, a `token_…` code, or a code of ``clientSecret(for:)``.
    package func exchangeForApp(
        _ authorization: AuthorizationCallback.Authorization,
        clientID: ClientID,
        redirectURI: String,
        sealer: TokenSealer
    ) async throws -> (identityToken: String, resumeToken: String) {
        if let identityToken = authorization.identityToken {
            let expectation = IdentityTokenExpectation(
                nonce: .unchecked,
                clientIDs: [clientID],
                authorizationCode: authorization.code
            )
            _ = try await verify(identityToken, expecting: expectation)
        }
        let grant = try await send(
            code: authorization.code,
            clientID: clientID,
            redirectURI: redirectURI
        )
        let name = authorization.user?.name.flatMap { try? $0.checked() }
        let resumeToken = try UnfinishedSignIn.resumeToken(grant, name, sealer, now: time.now)
        return (grant.identityToken, resumeToken)
    }
}
