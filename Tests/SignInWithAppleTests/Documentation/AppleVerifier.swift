import Foundation
import SignInWithApple

/// Verifies the identity token and the code that an app posts after a sign-in with Apple.
struct AppleVerifier: Sendable {
    private let apple: AppleSignIn

    /// Pass the text of the key file `AuthKey_….p8`, and `https://appleid.apple.com` or the URL of an emulator.
    init(p8: String, appleURL: URL) throws {
        let key = try ClientSecretKey(pem: p8, keyID: "JUICEKEY01", teamID: "JUICETEAM1")
        let configuration = AppleSignIn.Configuration(
            appIDs: ["com.example.juice"],
            key: key,
            service: AppleService(url: appleURL)
        )
        apple = AppleSignIn(configuration: configuration)
    }

    /// Returns the user's identifier, and the refresh token to store.
    func verify(identityToken: String, code: String, nonce: String) async throws
        -> (user: UserID, refreshToken: String?)
    {
        let grant = try await apple.signIn(
            identityToken: identityToken,
            code: code,
            nonce: .sha256(nonce)
        )
        return (grant.identity.userID, grant.refreshToken)
    }
}
