import AppleIdentity
import Crypto
import CryptoExtras
import Foundation
import HTTPTypes
import JWTKit
import SignInWithApple
import SignedTokens
import Testing

/// What jwt-kit signs, we verify, when it is signed as Apple signs, and not otherwise.
@Suite struct TheirTokensTests {
    private static let clientID: ClientID = "com.example.juice"
    private static let keyID = "AppleKeyN1"
    private static let now = 1_769_000_000

    private let rsaKey: _RSA.Signing.PrivateKey
    private let signIn: AppleSignIn

    init() throws {
        rsaKey = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let published = try JSONWebKey(rsaKey.publicKey, keyID: Self.keyID)
        let document = try JSONEncoder().encode(["keys": [published]])
        signIn = AppleSignIn(
            configuration: AppleSignIn.Configuration(appIDs: [Self.clientID]),
            transport: AppleTransport { _, _ in
                .init(head: HTTPResponse(status: .ok), body: document)
            },
            time: ManualTime(now: Date(timeIntervalSince1970: Double(Self.now))).source
        )
    }

    private var claims: OpenClaims {
        OpenClaims(
            iss: AppleService.appleIssuer,
            aud: Self.clientID.rawValue,
            sub: "000123.abc.0123",
            iat: Self.now,
            exp: Self.now + 600
        )
    }

    private func sign(with keys: JWTKeyCollection) async throws -> String {
        try await keys.sign(claims, kid: JWKIdentifier(string: Self.keyID))
    }

    private var theirKey: JWTKit.Insecure.RSA.PrivateKey {
        get throws { try JWTKit.Insecure.RSA.PrivateKey(pem: rsaKey.pemRepresentation) }
    }

    private func verify(_ token: String) async throws -> VerifiedIdentity {
        try await signIn.verify(token, expecting: IdentityTokenExpectation(nonce: .absent))
    }

    @Test func identityToken() async throws {
        let kid = JWKIdentifier(string: Self.keyID)
        let keys = await JWTKeyCollection().add(
            rsa: try theirKey,
            digestAlgorithm: .sha256,
            kid: kid
        )
        let token = try await sign(with: keys)
        #expect(try await verify(token).userID == "000123.abc.0123")
        for altered in AlteredTokens.all(of: token) {
            await #expect(throws: SignInError.self, "\(altered)") { try await verify(altered) }
            await #expect(throws: (any Error).self, "\(altered)") {
                try await keys.verify(altered, as: OpenClaims.self)
            }
        }
    }

    @Test func clientSecret() async throws {
        let privateKey = P256.Signing.PrivateKey()
        let keys = await JWTKeyCollection().add(
            ecdsa: try ES256PrivateKey(pem: privateKey.pemRepresentation),
            kid: JWKIdentifier(string: Self.keyID)
        )
        let token = try await sign(with: keys)
        let unverified = try UnverifiedToken(token)
        _ = try unverified.verified(with: VerificationKey(privateKey.publicKey))
        #expect(unverified.header.keyID == Self.keyID)
        // The right signature of the wrong kind of key is no identity token.
        await #expect(throws: SignInError.self) { try await verify(token) }
    }

    @Test func otherAlgorithmsAreRefused() async throws {
        let kid = JWKIdentifier(string: Self.keyID)
        let key = try theirKey
        let publicKey = HMACKey(from: rsaKey.publicKey.pemRepresentation)
        let others: [JWTKeyCollection] = [
            await JWTKeyCollection().add(rsa: key, digestAlgorithm: .sha384, kid: kid),
            await JWTKeyCollection().add(rsa: key, digestAlgorithm: .sha512, kid: kid),
            await JWTKeyCollection().add(pss: key, digestAlgorithm: .sha256, kid: kid),
            await JWTKeyCollection().add(hmac: publicKey, digestAlgorithm: .sha256, kid: kid),
            await JWTKeyCollection().add(ecdsa: ES384PrivateKey(), kid: kid),
            await JWTKeyCollection().addUnsecuredNone(kid: kid),
        ]
        for keys in others {
            let token = try await sign(with: keys)
            let error = await #expect(throws: SignInError.self, "\(token)") {
                try await verify(token)
            }
            #expect(error?.code == .tokenUnsupportedAlgorithm, "\(token)")
        }
    }
}
