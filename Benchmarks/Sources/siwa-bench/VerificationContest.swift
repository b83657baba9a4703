import Crypto
import CryptoExtras
import Foundation
import JWTKit
import SignInWithApple

/// Verifying an identity token, against nothing but its RSA signature and against jwt-kit.
enum VerificationContest {
    /// How often each contender verifies in one round.
    private static let verificationCount = 5_000

    static func make(apple: BenchApple) async throws -> Contest {
        let token = try apple.token(person: 1)
        return Contest(
            title: "Identity-token verification (RSA 2048, three keys, one of them named)",
            contenders: [
                try signatureAlone(apple: apple, token: token),
                signInWithApple(apple: apple, token: token),
                try await jwtKit(apple: apple, token: token),
            ]
        )
    }

    static func signatureAlone(
        apple: BenchApple,
        token: String
    ) throws -> Contest.Contender {
        let key = apple.publicKey
        let parts = try BenchApple.parts(of: token)
        let signature = _RSA.Signing.RSASignature(rawRepresentation: parts.signature)
        return Contest.Contender(name: "swift-crypto, the signature alone") {
            try await rate(count: verificationCount) {
                for _ in 0..<verificationCount {
                    let digest = SHA256.hash(data: parts.input)
                    guard key.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5)
                    else { throw BenchError("the signature is invalid") }
                }
            }
        }
    }

    private static func signInWithApple(apple: BenchApple, token: String) -> Contest.Contender {
        let configuration = SignInWithAppleConfiguration(clientIDs: [.init(BenchApple.clientID)])
        let signIn = AppleSignIn(configuration: configuration, transport: apple.transport)
        return Contest.Contender(name: "SignInWithApple, every check") {
            try await rate(count: verificationCount) {
                for _ in 0..<verificationCount {
                    _ = try await signIn.verify(token, expecting: .init(nonce: .absent))
                }
            }
        }
    }

    private static func jwtKit(apple: BenchApple, token: String) async throws -> Contest.Contender {
        let keys = try await JWTKeyCollection().add(jwksJSON: apple.keySetJSON)
        return Contest.Contender(name: "jwt-kit, signature and expiry") {
            try await rate(count: verificationCount) {
                for _ in 0..<verificationCount {
                    _ = try await keys.verify(token, as: AppleIdentityToken.self)
                }
            }
        }
    }
}
