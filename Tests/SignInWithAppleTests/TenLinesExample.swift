import SignInWithApple

/// The ten lines of docs/how-to/verify-tokens.md, compiled; the tidy tests compare both.
func tenLinesExample(
    identityToken: String,
    code: String,
    nonce: String,
    p8: String,
    save: (UserID, _ refreshToken: String?) async throws -> Void
) async throws {
    let key = try ClientSecretKey(pem: p8, keyID: "ABC123DEFG", teamID: "DEF123GHIJ")
    let apple = AppleSignIn(configuration: .init(clientIDs: ["com.example.app"], key: key))

    let identity = try await apple.verify(
        identityToken,
        expecting: .init(nonce: .sha256(nonce), authorizationCode: code)
    )
    let grant = try await apple.redeem(code: code, for: identity)

    // Store the refresh token, encrypted, with the account: you revoke it at Apple when the account is deleted.
    try await save(identity.user, grant.refreshToken)
}
