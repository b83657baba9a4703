import AppleIdentity
import Foundation
import SignInWithApple
import SignedTokens
import Testing

@Suite struct TokenExplanationTests {
    private let now = ManualTime().now

    private func explain(
        _ token: String,
        audience: [ClientID] = [TokenDraft.clientID],
        nonce: NonceExpectation = .unchecked,
        code: String? = nil,
        accessToken: String? = nil
    ) throws -> TokenExplanation {
        TokenExplanation.explain(
            token,
            keys: JSONWebKeySet(keys: [try TestKey.first.published()]),
            audience: audience,
            expecting: .init(nonce: nonce, authorizationCode: code, accessToken: accessToken),
            at: now
        )
    }

    @Test func goodToken() throws {
        let explanation = try explain(TokenDraft(at: now).signed(), nonce: .absent)
        #expect(explanation.isAccepted)
        #expect(
            explanation.text == """
                      kid: "AppleKeyN1"
                      alg: "RS256"
                      iss: "https://appleid.apple.com"
                      aud: "com.example.juice"
                      exp: 2026-01-22T12:53:20Z
                      iat: 2026-01-21T12:53:20Z
                      sub: "000123.0123456789abcdef0123456789abcdef.0123"
                      email: "maya@example.com"
                      email_verified: true
                      auth_time: 2026-01-21T12:53:20Z
                      nonce_supported: true
                      lifetime: 86400 seconds
                pass  form: three parts of strict base64url, 714 bytes
                pass  algorithm: RS256, as in all of Apple's tokens
                pass  key: "AppleKeyN1" is published
                pass  signature: valid for that key
                pass  kind: the claims of an identity token
                pass  subject: names a user
                pass  issuer: exactly https://appleid.apple.com
                pass  audience: issued for com.example.juice
                pass  expiry: not expired at 2026-01-21T12:53:20Z
                pass  issue time: issued before 2026-01-21T12:53:20Z
                skip  not before: not in the token; Apple sends none
                pass  nonce: none in the token, and none was sent
                skip  code hash: not in the token; it is optional
                skip  access token hash: not in the token; it is optional
                accepted
                """
        )
    }

    @Test func everyFailedCheckIsTold() throws {
        let draft = TokenDraft(at: now.addingTimeInterval(-100_000)).with(
            "iss",
            "https://evil.example"
        )
        let explanation = try explain(draft.signed(by: .second), audience: ["com.example.other"])
        let codes = explanation.lines.compactMap(\.code)
        #expect(
            codes == [
                .tokenSignatureInvalid, .tokenIssuerMismatch, .tokenAudienceMismatch, .tokenExpired,
            ]
        )
        #expect(explanation.verdict == "refused: token_signature_invalid")
        #expect(!explanation.isAccepted)
    }

    @Test func signatureIsNeverShown() throws {
        for draft in [TokenDraft(at: now), TokenDraft(at: now).with("iss", "x")] {
            let token = try draft.signed()
            let signature = try #require(token.split(separator: ".").last)
            #expect(try !explain(token).text.contains(signature.prefix(8)))
        }
    }

    @Test func whatIsNotGivenStaysOpen() throws {
        let token = try TokenDraft(at: now).with("nonce", "n-1").with("c_hash", "x")
            .with("at_hash", "x").signed()
        let explanation = TokenExplanation.explain(token, keys: nil, audience: [], at: now)
        #expect(explanation.refusal == nil)
        #expect(!explanation.isAccepted)
        #expect(
            explanation.openLines.map(\.subject) == [
                "signature", "audience", "nonce", "code hash", "access token hash",
            ]
        )
        #expect(explanation.verdict == "valid, as far as it could be checked")
    }

    @Test(arguments: [NonceExpectation.raw("n-1"), .rawOrSHA256("n-1")])
    func whatCameWithTheTokenIsCompared(nonce: NonceExpectation) throws {
        let token = try TokenDraft(at: now).with("nonce", "n-1")
            .with("c_hash", .string(HalfHash.make(of: "code-1")))
            .with("at_hash", .string(HalfHash.make(of: "access-1"))).signed()
        let good = try explain(token, nonce: nonce, code: "code-1", accessToken: "access-1")
        #expect(good.verdict == "accepted", "\(good.text)")
        #expect(good.text.contains("pass  nonce: the request's, unchanged or as its SHA-256\n"))
        #expect(good.text.contains("pass  code hash: of the code that came with it\n"))
        #expect(good.text.contains("pass  access token hash: of the access token that came"))
        let bad = try explain(token, nonce: .absent, code: "code-2", accessToken: "access-2")
        #expect(
            bad.lines.compactMap(\.code) == [
                .tokenNonceMismatch, .tokenCodeHashMismatch, .tokenAccessTokenHashMismatch,
            ]
        )
    }

    @Test func missingHashFailsForACodeAndIsSkippedForAnAccessToken() throws {
        let token = try TokenDraft(at: now).signed()
        let explanation = try explain(token, nonce: .absent, code: "c", accessToken: "a")
        #expect(explanation.lines.compactMap(\.code) == [.tokenCodeHashMismatch])
        #expect(explanation.text.contains("skip  access token hash: not in the token"))
    }

    @Test(arguments: Fixture.tokens + Fixture.notifications)
    func realOnes(token: Fixture.Case) throws {
        let explanation = TokenExplanation.explain(
            try token.text(),
            keys: try JSONWebKeySet(json: Fixture.keySet()),
            audience: [ClientID(token.aud)],
            at: token.validTime
        )
        #expect(explanation.refusal == nil, "\(explanation.text)")
        let isNotification = token.kind == "notification"
        let given = "accepted as a notification"
        #expect(
            explanation.verdict == (isNotification ? given : "valid, as far as it could be checked")
        )
    }

    @Test func controlCharactersOfTheTokenDoNotReachTheTerminal() throws {
        let draft = TokenDraft(at: now).with("email", "\u{1B}[2Jx").with("\u{1B}[31m", "y\nz")
            .withHeader("kid", "\u{202E}kid")
        let text = try explain(draft.signed()).text
        #expect(!text.contains("\u{1B}"))
        #expect(!text.contains("\u{202E}"))
        #expect(!text.contains("y\nz"))
    }

    @Test(arguments: ["", "a.b", "e30.e30.e30", ".", "bnVsbA.W10.e30"])
    func nonsense(text: String) throws {
        let explanation = try explain(text)
        #expect(explanation.lines.count == 1)
        #expect(explanation.refusal == .tokenMalformed)
    }

    @Test func factsOfARefusedFormAreToldToo() throws {
        let token = try TokenDraft(at: now).withHeader("alg", "none").signed()
        let explanation = try explain(token)
        #expect(explanation.refusal == .tokenUnsupportedAlgorithm)
        #expect(explanation.text.contains("aud: \"com.example.juice\""))
        #expect(explanation.text.contains("FAIL  algorithm: its header names \"none\""))
        #expect(try explain(String(repeating: "a", count: 2 << 20)).refusal == .tokenTooLong)
    }
}
