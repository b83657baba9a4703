import AppleIdentity
import Foundation
import HTTPTypes
import SignInWithApple
import SignedTokens
import TestSupport
import Testing

@Suite struct TokenEndpointTests {
    private let apple = ScriptedApple()
    private let signIn: AppleSignIn
    private let accessToken = "a0123456789abcdef0123456789abcdef.0.nruy.abcdefghijklmnopqrstuv"

    init() throws {
        try apple.publish([TestKey.first.published()])
        signIn = try apple.signIn(key: TestSecretKey().key())
    }

    private func draft() -> TokenDraft {
        TokenDraft(at: apple.time.now).with("at_hash", .string(HalfHash.make(of: accessToken)))
    }

    private func grants(_ draft: TokenDraft, refreshToken: JSONValue? = "r.refresh") throws {
        var answer: JSONObject = [
            "access_token": .string(accessToken), "token_type": "Bearer", "expires_in": 3600,
        ]
        answer["refresh_token"] = refreshToken
        answer["id_token"] = .string(try draft.signed())
        apple.answer(ApplePath.token, answer.text)
    }

    private func exchange(_ redirectURI: String? = nil) async throws -> AppleGrant {
        try await signIn.exchange(
            code: "c+o/d e&=",
            clientID: TokenDraft.clientID,
            redirectURI: redirectURI
        )
    }

    @Test func codeIsRedeemed() async throws {
        try grants(draft())
        let grant = try await exchange("https://juice.example.com/callback?a=b")
        #expect(grant.refreshToken == "r.refresh")
        #expect(grant.accessToken == accessToken)
        #expect(grant.accessTokenExpirationTime == apple.time.now.addingTimeInterval(3600))
        #expect(grant.identity.email == "maya@example.com")
        let asked = try #require(apple.asked(ApplePath.token).first)
        #expect(asked.request.method == .post)
        #expect(asked.request.headerFields[.contentType] == "application/x-www-form-urlencoded")
        #expect(asked.form["grant_type"] == "authorization_code")
        #expect(asked.form["code"] == "c+o/d e&=")
        #expect(asked.form["redirect_uri"] == "https://juice.example.com/callback?a=b")
        #expect(asked.form["client_id"] == "com.example.juice")
        #expect(asked.form["client_secret"] == (try signIn.clientSecret(for: TokenDraft.clientID)))
    }

    @Test func codeFromADeviceHasNoRedirectURI() async throws {
        try grants(draft())
        _ = try await exchange()
        #expect(apple.asked(ApplePath.token).first?.form.keys.contains("redirect_uri") == false)
    }

    @Test func verifierIsSentOnlyIfItHasTheFormOfOne() async throws {
        try grants(draft())
        for (verifier, isSent) in [
            (String(repeating: "a", count: 42), false), (String(repeating: "a", count: 129), false),
            (String(repeating: "+", count: 43), false), (String(repeating: "~", count: 43), true),
        ] {
            let grant = try? await signIn.exchange(
                code: "c.1",
                clientID: TokenDraft.clientID,
                codeVerifier: verifier
            )
            #expect((grant != nil) == isSent)
            #expect(
                apple.asked(ApplePath.token).last?.form["code_verifier"]
                    == (isSent ? verifier : nil)
            )
        }
    }

    @Test func refreshTokenIsChecked() async throws {
        try grants(draft(), refreshToken: nil)
        let grant = try await signIn.refresh("r.refresh", clientID: TokenDraft.clientID)
        #expect(grant.refreshToken == nil)
        let form = try #require(apple.asked(ApplePath.token).first?.form)
        #expect(form["grant_type"] == "refresh_token")
        #expect(form["refresh_token"] == "r.refresh")
    }

    @Test func answersOfOtherSignInsAreRefused() async throws {
        try grants(draft().with("at_hash", .string(HalfHash.make(of: "another"))))
        await expectRefusal(.tokenAccessTokenHashMismatch) { try await exchange() }
        try grants(draft().with("aud", "com.example.juice.web"))
        await expectRefusal(.tokenAudienceMismatch) { try await exchange() }
        try grants(draft().with("nonce", "anything"))
        _ = try await exchange()
    }

    @Test func answerAboutAnotherPersonIsRefused() async throws {
        let identity = try await signIn.verify(TokenDraft(at: apple.time.now).signed())
        try grants(draft())
        #expect(
            try await signIn.exchange(code: "c.1", for: identity).identity.userID == identity.userID
        )
        try grants(draft().with("sub", "000124.0123456789abcdef0123456789abcdef.0124"))
        await expectRefusal(.identityMismatch) {
            try await signIn.exchange(code: "c.2", for: identity)
        }
    }

    @Test func exchangedCodeCanBeVerifiedLater() async throws {
        try grants(draft())
        let exchanged = try await signIn.send(code: "c", clientID: TokenDraft.clientID)
        apple.answer(ApplePath.keys, status: 500, "")
        await expectRefusal(.appleKeysUnavailable) { try await signIn.verify(exchanged) }
        try apple.publish([TestKey.first.published()])
        apple.time.advance(bySeconds: 1)
        let grant = try await signIn.verify(exchanged)
        #expect(grant.refreshToken == "r.refresh")
        #expect(apple.asked(ApplePath.token).count == 1)
    }

    @Test func tokensAreRevoked() async throws {
        apple.answer(ApplePath.revoke, "")
        try await signIn.revoke("r.refresh", clientID: TokenDraft.clientID)
        try await signIn.revoke(accessToken, clientID: TokenDraft.clientID, hint: .accessToken)
        let forms = apple.asked(ApplePath.revoke).map(\.form)
        #expect(forms.map { $0["token"] } == ["r.refresh", accessToken])
        #expect(forms.map { $0["token_type_hint"] } == ["refresh_token", "access_token"])
    }

    static let refusals: [(Int, String, SignInError.Code)] = [
        (400, #"{"error":"invalid_client"}"#, .appleRefusedClient),
        (401, #"{"error":"invalid_client"}"#, .appleRefusedClient),
        (
            400,
            #"{"error":"invalid_grant","error_description":"The code has already been used."}"#,
            .appleRefusedGrant
        ),
        (400, #"{"error":"invalid_request"}"#, .appleRefusedRequest),
        (400, #"{"error":"invented_later"}"#, .appleRefusedRequest),
        (400, "<html>", .appleAnswerUnreadable),
        (302, "", .appleAnswerUnreadable),
        (429, "", .appleUnavailable),
        (500, #"{"error":"invalid_client"}"#, .appleUnavailable),
        (503, "<html>", .appleUnavailable),
    ]

    @Test(arguments: refusals)
    func refusalsAreTold(status: Int, body: String, code: SignInError.Code) async {
        apple.answer(ApplePath.token, status: status, body)
        apple.answer(ApplePath.revoke, status: status, body)
        await expectRefusal(code) { try await exchange() }
        await expectRefusal(code) {
            try await signIn.refresh("r.refresh", clientID: TokenDraft.clientID)
        }
        await expectRefusal(code) {
            try await signIn.revoke("r.refresh", clientID: TokenDraft.clientID)
        }
    }

    @Test(arguments: [
        "", "[]", "{}", "<html>", #"{"access_token":"a","token_type":"Bearer","expires_in":3600}"#,
        #"{"access_token":"a","token_type":"MAC","expires_in":3600,"id_token":"x"}"#,
        #"{"access_token":"a","token_type":"Bearer","expires_in":-1,"id_token":"x"}"#,
        #"{"access_token":"","token_type":"Bearer","expires_in":3600,"id_token":"x"}"#,
    ])
    func unreadableGrants(body: String) async {
        apple.answer(ApplePath.token, body)
        let error = await expectRefusal(.appleAnswerUnreadable) { try await exchange() }
        #expect(error?.isRetryable == true)
    }

    @Test func answerBeyondTheLimit() async {
        apple.answer(ApplePath.token, String(repeating: " ", count: 256 * 1024 + 1))
        await expectRefusal(.appleAnswerUnreadable) { try await exchange() }
    }

    @Test func noAnswer() async {
        struct CableCut: Error {}
        apple.answer(ApplePath.token) { throw CableCut() }
        let error = await expectRefusal(.appleUnavailable) { try await exchange() }
        #expect(error?.isRetryable == true)
        #expect(error?.hint.contains("CableCut") == true)
    }

    @Test func slowAnswerIsGivenUpAfterTenSeconds() async throws {
        apple.answer(ApplePath.token, after: .seconds(11))
        async let outcome = expectRefusal(.appleUnavailable) { try await exchange() }
        try await waitUntil("the exchange waits") { apple.time.sleeperCount == 2 }
        apple.time.advance(bySeconds: 10)
        _ = await outcome
        #expect(apple.time.sleeperCount == 0)
    }

    @Test func whatNoTokenOfAppleCanBeIsNotSent() async {
        for token in ["", String(repeating: "r", count: 2049)] {
            await expectRefusal(.appleRefusedGrant) {
                try await signIn.refresh(token, clientID: TokenDraft.clientID)
            }
        }
        #expect(apple.asked(ApplePath.token).isEmpty)
    }

    @Test func noSecretOrTokenIsInAnyWord() async throws {
        let secret = try signIn.clientSecret(for: TokenDraft.clientID)
        for (status, body, _) in Self.refusals {
            apple.answer(ApplePath.token, status: status, body)
            do {
                _ = try await signIn.refresh("r.refresh", clientID: TokenDraft.clientID)
            } catch let error as SignInError {
                let words = "\(error) \(error.hint)"
                #expect(!words.contains(secret))
                #expect(!words.contains("r.refresh"))
            }
        }
    }
}
