import AccountsAccessTokens
import AppleIdentity
import Crypto
import Foundation
import ServerTestSupport
import SignInWithApple
import SignedTokens
import TestSupport
import Testing

@Suite("Access tokens of an accounts server") struct AccessTokenVerifierTests {
    private static let issuer = "https://accounts.example.com"
    private static let audience = "https://api.example.com"
    private static let path = "/.well-known/jwks.json"

    private let server = ScriptedApple()
    private let log = LogRecorder()
    private let key = P256.Signing.PrivateKey()

    private func verifier(keysURL: URL? = nil) throws -> AccessTokenVerifier {
        try AccessTokenVerifier(
            issuer: Self.issuer,
            audience: Self.audience,
            keysURL: keysURL,
            transport: server.transport,
            logger: log.logger,
            time: server.time.source
        )
    }

    private var failedRenewalCount: Int { log.text.ranges(of: "could not be refreshed").count }

    private func keySet(keyID: String = "ours") throws -> Data {
        try JSONEncoder().encode(["keys": [JSONWebKey(key.publicKey, keyID: keyID)]])
    }

    private func publish(keyID: String = "ours") throws {
        server.answer(Self.path, String(decoding: try keySet(keyID: keyID), as: UTF8.self))
    }

    private var draft: TokenDraft {
        var draft = TokenDraft(at: server.time.now, keyID: "ours")
        let now = Int(server.time.now.timeIntervalSince1970)
        draft.header = ["alg": "ES256", "typ": "at+jwt", "kid": "ours"]
        draft.claims = [
            "iss": .string(Self.issuer), "aud": .string(Self.audience), "sub": "maya",
            "iat": .integer(now), "exp": .integer(now + 300), "jti": "t1", "sid": "s1",
            "auth_time": .integer(now - 60), "amr": ["pwd"],
        ]
        return draft
    }

    private func signed(_ draft: TokenDraft, by key: P256.Signing.PrivateKey? = nil) throws
        -> String
    {
        try SigningKey(key ?? self.key).sign(header: draft.header.data, payload: draft.claims.data)
    }

    @Test("A valid token tells the account and the session")
    func valid() async throws {
        try publish()
        let token = try await verifier().verify(signed(draft))
        #expect(token.accountID == "maya" && token.sessionID == "s1" && token.tokenID == "t1")
        #expect(token.authenticationMethods == ["pwd"])
        #expect(token.expirationTime.timeIntervalSince(token.issuedAt) == 300)
        #expect(token.issuedAt.timeIntervalSince(token.authenticationTime) == 60)
    }

    @Test(
        "A token with a wrong claim or header is rejected",
        arguments: [
            ("aud", "https://other.example.com", SignInError.Code.tokenAudienceMismatch),
            ("iss", "https://other.example.com", .tokenIssuerMismatch),
            ("exp", 1, .tokenExpired), ("iat", 9_999_999_999, .tokenNotYetValid),
            ("exp", nil, .tokenMalformed), ("sub", nil, .tokenMalformed),
            ("sid", 1, .tokenMalformed), ("jti", nil, .tokenMalformed),
            ("sub", "", .tokenMalformed),
            ("typ", "JWT", .tokenWrongKind), ("typ", nil, .tokenWrongKind),
            ("alg", "none", .tokenUnsupportedAlgorithm),
            ("alg", "HS256", .tokenUnsupportedAlgorithm),
            ("alg", "RS256", .tokenUnsupportedAlgorithm), ("kid", nil, .tokenMalformed),
            ("kid", "withdrawn", .tokenUnknownKey), ("crit", ["exp"], .tokenMalformed),
        ] as [(String, JSONValue?, SignInError.Code)]
    )
    func wrong(_ name: String, _ value: JSONValue?, _ code: SignInError.Code) async throws {
        try publish()
        let isClaim = draft.claims[name] != nil
        let draft = isClaim ? draft.with(name, value) : draft.withHeader(name, value)
        let token = try signed(draft)
        let error = await expectRefusal(code) { try await verifier().verify(token) }
        #expect(error?.debugDescription.contains("Apple") == false)
    }

    @Test("A token of another key is rejected, and the message names no identity token")
    func otherKey() async throws {
        try publish()
        let token = try signed(draft, by: P256.Signing.PrivateKey())
        let error = await expectRefusal(.tokenSignatureInvalid) {
            try await verifier().verify(token)
        }
        #expect(error?.message == "The access token's signature is not valid.")
    }

    @Test("A withdrawn key is rejected when the keys are fetched again")
    func withdrawnKey() async throws {
        try publish()
        let verifier = try verifier()
        _ = try await verifier.verify(signed(draft))
        try publish(keyID: "new")
        server.time.advance(bySeconds: 3601)
        await expectRefusal(.tokenUnknownKey) { try await verifier.verify(signed(draft)) }
    }

    @Test("Without the server's keys, the error is retryable")
    func noKeys() async throws {
        server.answer(Self.path, status: 500, "")
        let error = await expectRefusal(.keysUnavailable) {
            try await verifier().verify(signed(draft))
        }
        #expect(error?.isRetryable == true)
        #expect(
            error?.hint.hasPrefix("the accounts server's keys at accounts.example.com:") == true
        )
    }

    @Test("While the server hangs, only the first renewal delays a token")
    func hangingServer() async throws {
        try publish()
        let verifier = try verifier()
        _ = try await verifier.verify(signed(draft))
        server.answer(Self.path, after: .seconds(3600))
        server.time.advance(bySeconds: 3601)
        let token = try signed(draft)
        async let first = verifier.verify(token)
        try await waitUntil("the renewal waits") { server.time.sleeperCount == 2 }
        server.time.advance(bySeconds: 10)
        _ = try await first
        for count in 3...5 {
            server.time.advance(bySeconds: 60)
            for _ in 0..<10 { _ = try await verifier.verify(signed(draft)) }
            try await waitUntil("another renewal waits") { server.time.sleeperCount == 2 }
            #expect(server.asked(Self.path).count == count)
            server.time.advance(bySeconds: 10)
            try await waitUntil("it is given up") { failedRenewalCount == count - 1 }
        }
        #expect(!log.text.contains("Apple"))
    }

    @Test("The known keys are used for a day after they expired, and no longer")
    func longOutage() async throws {
        try publish()
        let verifier = try verifier()
        _ = try await verifier.verify(signed(draft))
        server.answer(Self.path, status: 500, "")
        server.time.advance(bySeconds: 3600 + 86_400)
        _ = try await verifier.verify(signed(draft))
        server.time.advance(bySeconds: 60)
        await expectRefusal(.keysUnavailable) { try await verifier.verify(signed(draft)) }
        try publish()
        server.time.advance(bySeconds: 60)
        _ = try await verifier.verify(signed(draft))
    }

    @Test("siwa explain makes the same checks")
    func explanation() throws {
        let set = try JSONWebKeySet(json: keySet())
        func explain(_ draft: TokenDraft, issuer: String = Self.issuer) throws -> TokenExplanation {
            TokenExplanation.explain(
                try signed(draft),
                keys: set,
                audience: [ClientID(Self.audience)],
                issuer: issuer,
                at: server.time.now
            )
        }
        #expect(try explain(draft).isAccepted)
        let text = try explain(draft).text
        for words in [
            "an access token of an accounts server", "sub: \"maya\", the account's id",
            "aud: \"\(Self.audience)\", the service that it is for", "Z, when it expires",
            "amr: \"pwd\", how the user signed in", "not before: not in the token; it is optional",
        ] { #expect(text.contains(words), "\(text)") }
        #expect(try explain(draft.with("exp", 1)).refusal == .tokenExpired)
        #expect(try explain(draft.withHeader("kid", "other")).refusal == .tokenUnknownKey)
        // Apple's issuer is the default, which is no accounts server's.
        let open = try explain(draft, issuer: AppleService.appleIssuer).openLines
        #expect(open.map(\.subject) == ["issuer"])
    }

    @Test("The keys can have another address than the issuer, as in a container network")
    func keysURL() async throws {
        server.answer("/keys.json", String(decoding: try keySet(), as: UTF8.self))
        let verifier = try verifier(keysURL: URL(string: "http://accounts:8080/keys.json"))
        #expect(try await verifier.verify(signed(draft)).accountID == "maya")
        let asked = try #require(server.asked("/keys.json").first).request
        #expect(asked.scheme == "http" && asked.authority == "accounts:8080")
        for text in ["accounts:8080/keys.json", "/keys.json", "ftp://accounts/keys.json"] {
            let url = try #require(URL(string: text))
            let error = await expectRefusal(.configurationInvalid) {
                try self.verifier(keysURL: url)
            }
            #expect(error?.hint.contains("keysURL") == true)
        }
    }

    @Test("The Authorization field is read as RFC 6750 says")
    func field() async throws {
        try publish()
        let verifier = try verifier()
        let token = try signed(draft)
        for field in [nil, "", "Basic YTpi", token] {
            #expect(try await verifier.verify(authorization: field) == nil)
        }
        #expect(try await verifier.verify(authorization: "bearer " + token)?.accountID == "maya")
    }

    @Test(
        "An issuer that is no https URL is a configuration error",
        arguments: ["", "accounts.example.com", "http://accounts.example.com", "ftp://localhost"]
    )
    func issuer(_ issuer: String) async {
        let error = await expectRefusal(.configurationInvalid) {
            try AccessTokenVerifier(issuer: issuer, audience: "api")
        }
        #expect(error?.debugDescription.contains("Apple") == false)
    }
}
