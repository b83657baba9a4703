import AppleEmulatorTesting
import AppleIdentity
import Crypto
import Foundation
import HTTPTypes
import JWTKit
import SignInWithApple
import SignedTokens
import Testing

/// What we sign, jwt-kit verifies; what was altered, neither does.
@Suite struct OurTokensTests {
    @Test func identityTokensOfTheEmulator() async throws {
        try await withAppleEmulator { apple in
            let credential = try await apple.credentials(nonce: "n")
            let keys = try await JWTKeyCollection().add(jwksJSON: Self.keySet(of: apple))
            let signIn = try apple.signIn()
            let expectation = IdentityTokenExpectation(
                nonce: .raw("n"),
                authorizationCode: credential.authorizationCode
            )

            let token = credential.identityToken
            let claims = try await keys.verify(token, as: OpenClaims.self)
            let identity = try await signIn.verify(token, expecting: expectation)
            #expect(claims.sub == identity.userID.rawValue)
            #expect(claims.aud == identity.clientID.rawValue)
            #expect(claims.iss == identity.issuer)

            for altered in AlteredTokens.all(of: token) {
                await #expect(throws: (any Error).self, "\(altered)") {
                    try await keys.verify(altered, as: OpenClaims.self)
                }
                await #expect(throws: SignInError.self, "\(altered)") {
                    try await signIn.verify(altered, expecting: expectation)
                }
            }
        }
    }

    @Test func clientSecrets() async throws {
        let privateKey = P256.Signing.PrivateKey()
        let key = try ClientSecretKey(
            pem: privateKey.pemRepresentation,
            keyID: "ABC123DEFG",
            teamID: "DEF123GHIJ"
        )
        let secret = try key.clientSecret(for: "com.example.juice")
        let keys = await JWTKeyCollection().add(
            ecdsa: try ES256PublicKey(pem: privateKey.publicKey.pemRepresentation),
            kid: "ABC123DEFG"
        )

        let claims = try await keys.verify(secret, as: OpenClaims.self)
        // The time of issue is a minute in the past.
        #expect(claims.iss == "DEF123GHIJ" && claims.sub == "com.example.juice")
        #expect(claims.aud == AppleService.appleIssuer && claims.exp - claims.iat == 660)

        let publicKey = VerificationKey(privateKey.publicKey)
        for altered in AlteredTokens.all(of: secret) {
            await #expect(throws: (any Error).self, "\(altered)") {
                try await keys.verify(altered, as: OpenClaims.self)
            }
            #expect(throws: SignedTokenError.self, "\(altered)") {
                try UnverifiedToken(altered).verified(with: publicKey)
            }
        }
    }

    private static func keySet(of apple: TestApple) async throws -> String {
        let request = HTTPRequest(
            method: .get,
            scheme: "https",
            authority: "appleid.apple.com",
            path: ApplePath.keys
        )
        return String(
            decoding: try await apple.transport.send(request, body: Data()).body,
            as: UTF8.self
        )
    }
}
