import AppleIdentity
import Crypto
import Foundation
import SignInWithApple
import SignedTokens

/// A team's key as Apple would hand it out.
struct TestSecretKey {
    let privateKey = P256.Signing.PrivateKey()

    func key() throws -> ClientSecretKey {
        try ClientSecretKey(
            pem: privateKey.pemRepresentation,
            keyID: "ABC123DEFG",
            teamID: "DEF123GHIJ"
        )
    }

    var verificationKey: VerificationKey { VerificationKey(privateKey.publicKey) }
}
