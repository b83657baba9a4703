import AppleIdentity
import Crypto
import CryptoExtras
import Foundation
import SignInWithApple
import SignedTokens
import Testing

@Suite struct HeaderTests {
    private let apple: ScriptedApple
    private let signIn: AppleSignIn
    private let draft: TokenDraft

    init() throws {
        apple = ScriptedApple()
        try apple.publish([TestKey.first.published()])
        signIn = apple.signIn()
        draft = TokenDraft(at: apple.time.now)
    }

    @Test(arguments: [
        "none", "None", "NONE", "nOnE", "HS256", "HS384", "HS512", "RS384", "RS512", "PS256",
        "PS384", "PS512", "ES256", "ES384", "EdDSA", "rs256", "RS256 ", "",
    ])
    func otherAlgorithmsAreRefusedBeforeAnyFetch(name: String) async throws {
        let token = try draft.withHeader("alg", .string(name)).signed()
        await expectRefusal(.tokenUnsupportedAlgorithm) { try await signIn.verify(token) }
        #expect(apple.keyRequestCount == 0)
    }

    @Test func publicKeyAsSharedSecretIsRefused() async throws {
        let header = draft.withHeader("alg", "HS256").header
        let input = Base64URL.encode(header.data) + "." + Base64URL.encode(draft.claims.data)
        let secret = SymmetricKey(
            data: Data(TestKey.first.privateKey.publicKey.pemRepresentation.utf8)
        )
        let code = HMAC<SHA256>.authenticationCode(for: Data(input.utf8), using: secret)
        await expectRefusal(.tokenUnsupportedAlgorithm) {
            try await signIn.verify(input + "." + Base64URL.encode(code))
        }
    }

    @Test func noSignatureAtAllIsRefused() async throws {
        let parts = try draft.signed().split(separator: ".")
        await expectRefusal(.tokenSignatureInvalid) {
            try await signIn.verify("\(parts[0]).\(parts[1]).")
        }
    }

    @Test func clientSecretIsNoIdentityToken() async throws {
        let key = P256.Signing.PrivateKey()
        let keyText = key.pemRepresentation
        let secret = try ScriptedApple()
            .signIn(key: ClientSecretKey(pem: keyText, keyID: "ABC123DEFG", teamID: "DEF123GHIJ"))
            .clientSecret(for: TokenDraft.clientID)
        await expectRefusal(.tokenWrongKind) { try await signIn.verify(secret) }
    }

    @Test(arguments: [nil, ""] as [JSONValue?])
    func noKeyIDIsRefusedWithoutAFetch(keyID: JSONValue?) async throws {
        let token = try draft.withHeader("kid", keyID).signed()
        await expectRefusal(.tokenMalformed) { try await signIn.verify(token) }
        #expect(apple.keyRequestCount == 0)
    }

    @Test func keysInTheHeaderAreNeverUsedOrFetched() async throws {
        let stranger = try TestKey.second.published()
        let attack =
            draft
            .withHeader("kid", .string(TestKey.second.keyID))
            .withHeader("jwk", try JSONValue(parsing: JSONEncoder().encode(stranger)))
            .withHeader("jku", "https://evil.example.com/keys")
            .withHeader("x5u", "https://evil.example.com/chain")
            .withHeader("x5c", ["AAAA"])
        await expectRefusal(.tokenUnknownKey) {
            try await signIn.verify(attack.signed(by: .second))
        }
        #expect(apple.keyRequestCount == 1)
        #expect(apple.asked("/keys").isEmpty)
        let harmless = draft.withHeader("jku", "https://evil.example.com/keys")
        try await signIn.verify(harmless.signed())
        #expect(apple.keyRequestCount == 1)
    }

    @Test func criticalExtensionsAreRefused() async throws {
        let token = try draft.withHeader("crit", ["exp"]).signed()
        await expectRefusal(.tokenMalformed) { try await signIn.verify(token) }
    }

    @Test func keysForOtherPurposesAreNotUsed() async throws {
        let other = ScriptedApple()
        var encryption = try TestKey.first.published()
        encryption.use = "enc"
        try other.publish([encryption, TestKey.second.published()])
        await expectRefusal(.tokenUnknownKey) { try await other.signIn().verify(draft.signed()) }
    }
}
