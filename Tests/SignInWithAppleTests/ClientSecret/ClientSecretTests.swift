import AppleIdentity
import Foundation
import SignInWithApple
import SignedTokens
import Testing

@Suite struct ClientSecretTests {
    private let apple = ScriptedApple()
    private let secretKey = TestSecretKey()

    @Test func carriesWhatAppleAsksFor() throws {
        let secret = try apple.signIn(key: secretKey.key()).clientSecret(for: TokenDraft.clientID)
        let token = try UnverifiedToken(secret)
        let payload = try token.verified(with: secretKey.verificationKey).payload
        #expect(token.header.algorithm == "ES256")
        #expect(token.header.keyID == "ABC123DEFG")
        #expect(token.header.type == nil)
        let now = Int(apple.time.now.timeIntervalSince1970)
        #expect(
            String(decoding: payload, as: UTF8.self)
                == #"{"iss":"DEF123GHIJ","iat":\#(now - 60),"exp":\#(now + 600),"#
                + #""aud":"https://appleid.apple.com","sub":"com.example.juice"}"#
        )
    }

    @Test func theLongestLastsNoLongerThanAppleAllows() throws {
        let longest = ClientSecretKey.maximumLifetime
        let secret = try secretKey.key()
            .clientSecret(for: TokenDraft.clientID, lifetime: longest)
        let payload = try UnverifiedToken(secret).verified(with: secretKey.verificationKey).payload
        let claims = try JSONObject(parsing: payload)
        let end = try #require(claims["exp"]?.integerValue)
        #expect(end - (claims["iat"]?.integerValue ?? 0) == longest.wholeSeconds)
    }

    @Test func isKeptUntilAMinuteBeforeItsEnd() throws {
        let signIn = try apple.signIn(key: secretKey.key())
        let first = try signIn.clientSecret(for: TokenDraft.clientID)
        apple.time.advance(bySeconds: 539)
        #expect(try signIn.clientSecret(for: TokenDraft.clientID) == first)
        apple.time.advance(bySeconds: 1)
        #expect(try signIn.clientSecret(for: TokenDraft.clientID) != first)
    }

    @Test func isMadeAnewWhenTheClockWasSetBack() throws {
        let signIn = try apple.signIn(key: secretKey.key())
        let first = try signIn.clientSecret(for: TokenDraft.clientID)
        apple.time.advance(bySeconds: -3600)
        #expect(try signIn.clientSecret(for: TokenDraft.clientID) != first)
    }

    @Test func eachClientHasItsOwn() throws {
        let signIn = try apple.signIn(key: secretKey.key())
        let web = try signIn.clientSecret(for: "com.example.juice.web")
        #expect(try signIn.clientSecret(for: TokenDraft.clientID) != web)
    }

    @Test func unknownClientAndMissingKeyAreRefused() async throws {
        await expectRefusal(.configurationInvalid) {
            try apple.signIn(key: secretKey.key()).clientSecret(for: "com.example.evil")
        }
        await expectRefusal(.configurationInvalid) {
            try apple.signIn().clientSecret(for: TokenDraft.clientID)
        }
    }
}
