import SignInWithApple

/// The README's ten lines, compiled; the tidy tests compare them with the document.
func readmeExample(identityToken: String, code: String, nonce: String, p8: String) async throws {
    let key = try ClientSecretKey(pem: p8, keyID: "ABC123DEFG", teamID: "DEF123GHIJ")
    let apple = AppleSignIn(configuration: .init(clientIDs: ["com.example.app"], key: key))

    let identity = try await apple.verify(
        identityToken,
        expecting: .init(nonce: .sha256(nonce), authorizationCode: code)
    )
    let grant = try await apple.redeem(code: code, clientID: identity.clientID, redirectURI: nil)

    // Keep grant.refreshToken, sealed: when the account is deleted, the link at Apple must end.
    if let refreshToken = grant.refreshToken {
        try await apple.revoke(refreshToken, clientID: identity.clientID)
    }
}
