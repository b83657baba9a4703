import AppleIdentity
import Foundation
import SignInWithApple
import TestSupport
import Testing

/// Apple's `invalid_grant`, with and without a description, and the causes found for it.
@Suite struct GrantRefusalTests {
    private static let app: ClientID = "com.example.juice"
    private static let web: ClientID = "com.example.juice.web"
    private static let redirectURI = "https://juice.example.com/callback"
    private static let text = "0123456789abcdef0123456789abcdef.0.nruy.abcdefghijklmnopqrstuv"

    private let apple = ScriptedApple()
    private let signIn: AppleSignIn

    init() throws {
        let configuration = AppleSignIn.Configuration(
            appIDs: [Self.app],
            servicesIDs: [Self.web],
            key: try TestSecretKey().key()
        )
        signIn = apple.signIn(with: configuration)
    }

    private func refuse(_ sentence: String? = nil) {
        var body: JSONObject = ["error": "invalid_grant"]
        body["error_description"] = sentence.map { .string($0) }
        apple.answer(ApplePath.token, status: 400, body.text)
    }

    private func causes(
        code: String = "c" + Self.text,
        clientID: ClientID = Self.app,
        redirectURI: String? = nil
    ) async throws -> [RefusalCause] {
        let error = await expectRefusal(.appleRefusedGrant) {
            try await signIn.exchange(code: code, clientID: clientID, redirectURI: redirectURI)
        }
        let words = "\(try #require(error).hint) \(try #require(error).causes)"
        #expect(!words.contains(code))
        return try #require(error).causes
    }

    @Test(arguments: [
        ("The code has already been used.", RefusalCause.Code.codeAlreadyUsed),
        ("client_id mismatch. The code was not issued to com.example.juice.", .clientMismatch),
        ("redirect_uri mismatch. The code was not issued to https://x.", .redirectMismatch),
    ])
    func applesSentencesAreKnown(sentence: String, code: RefusalCause.Code) async throws {
        refuse(sentence)
        let causes = try await causes()
        #expect(causes.first?.code == code)
        #expect(causes.first?.isEvident == true)
    }

    @Test func unknownCodeMayBeLateOrAltered() async throws {
        refuse("The code has expired or has been revoked.")
        let causes = try await causes()
        #expect(causes.map(\.code) == [.codeLate, .codeUnknown])
        #expect(!causes.contains { $0.isEvident })
    }

    @Test func secondUseIsRemembered() async throws {
        refuse()
        #expect(try await causes().allSatisfy { $0.code != .codeSentBefore })
        apple.time.advance(bySeconds: 12)
        let second = try #require(try await causes().first)
        #expect(second.code == .codeSentBefore)
        #expect(second.explanation.contains("12 seconds ago"))
        refuse("The code has already been used.")
        #expect(try await causes().map(\.code) == [.codeSentBefore, .codeAlreadyUsed])
    }

    @Test func codeThatWaitedHereIsLate() async throws {
        let receivedAt = apple.time.now
        refuse("The code has expired or has been revoked.")
        for (seconds, isEvident) in [(299.0, false), (1, true)] {
            apple.time.advance(bySeconds: seconds)
            let error = await expectRefusal(.appleRefusedGrant) {
                try await signIn.exchange(
                    code: "c.\(seconds)",
                    clientID: Self.app,
                    receivedAt: receivedAt
                )
            }
            let causes = try #require(error?.causes)
            #expect(causes.map(\.code) == [.codeLate, .codeUnknown])
            #expect(causes.first?.isEvident == isEvident)
        }
        refuse()
        let error = await expectRefusal(.appleRefusedGrant) {
            try await signIn.exchange(code: "c.3", clientID: Self.app, receivedAt: receivedAt)
        }
        #expect(error?.causes.first?.code == .codeLate)
        #expect(error?.causes.count { $0.code == .codeLate } == 1)
        #expect(error?.hint.contains("at least 300 seconds old") == true)
    }

    @Test(arguments: [503, 429, 200])
    func codeWhoseAnswerWasLostMayBeSpent(status: Int) async throws {
        apple.answer(ApplePath.token, status: status, "<html>")
        await #expect(throws: SignInError.self) {
            try await signIn.exchange(code: "c.1", clientID: Self.app)
        }
        apple.time.advance(bySeconds: 12)
        refuse("The code has already been used.")
        let cause = try #require(try await causes(code: "c.1").first)
        #expect(cause.code == .codeAnswerLost && cause.isEvident)
        #expect(cause.explanation.contains("12 seconds ago"))
    }

    @Test func slowAppleMayHaveSpentTheCode() async throws {
        apple.answer(ApplePath.token, after: .seconds(60))
        async let first = expectRefusal(.appleUnavailable) {
            try await signIn.exchange(code: "c.1", clientID: Self.app)
        }
        try await waitUntil("both wait") { apple.time.sleeperCount == 2 }
        apple.time.advance(bySeconds: 10)
        _ = await first
        refuse()
        #expect(try await causes(code: "c.1").first?.code == .codeAnswerLost)
    }

    @Test func kindOfClientAndRedirectBelongTogether() async throws {
        refuse()
        let app = try await causes(redirectURI: Self.redirectURI)
        #expect(app.first?.code == .redirectWithBundleID)
        let web = try await causes(code: "c.1", clientID: Self.web)
        #expect(web.first?.code == .servicesIDWithoutRedirect)
        let good = try await causes(code: "c.2", clientID: Self.web, redirectURI: Self.redirectURI)
        #expect(!good.contains { $0.isEvident })
        #expect(
            good.map(\.code) == [
                .codeAlreadyUsed, .codeLate, .clientMismatch, .redirectMismatch,
                .codeVerifierMismatch,
            ]
        )
        #expect(good.last?.explanation.contains("without a code_verifier") == true)
    }

    @Test(arguments: ["a" + Self.text, "r" + Self.text, "eyJhbGciOiJSUzI1NiJ9.e30.AA"])
    func tokenOfAnotherKindInPlaceOfACode(token: String) async throws {
        refuse()
        #expect(try await causes(code: token).first?.code == .tokenOfAnotherKind)
    }

    @Test func refreshTokens() async throws {
        refuse("The token has expired or has been revoked.")
        let revoked = await expectRefusal(.appleRefusedGrant) {
            try await signIn.refresh("r" + Self.text, clientID: Self.app)
        }
        #expect(revoked?.causes.map(\.code) == [.tokenRevoked, .tokenOfAnotherClient])
        let other = await expectRefusal(.appleRefusedGrant) {
            try await signIn.refresh("a" + Self.text, clientID: Self.app)
        }
        #expect(other?.causes.first?.code == .tokenOfAnotherKind)
        #expect(other?.hint.contains("an access token") == true)
    }

    @Test func invalidRequestMayMeanThatThePersonStopped() async {
        apple.answer(ApplePath.token, status: 400, #"{"error":"invalid_request"}"#)
        let error = await expectRefusal(.appleRefusedRequest) {
            try await signIn.refresh("r", clientID: Self.app)
        }
        #expect(error?.causes.map(\.code) == [.userStoppedUsingApp, .requestRewritten])
        #expect(error?.causes.contains(where: \.isEvident) == false)
    }

    @Test(arguments: ["unauthorized_client", "unsupported_grant_type", "invalid_scope", "new"])
    func otherRefusalsHaveNoCauses(word: String) async {
        apple.answer(ApplePath.token, status: 400, #"{"error":"\#(word)"}"#)
        let error = await expectRefusal(.appleRefusedRequest) {
            try await signIn.refresh("r", clientID: Self.app)
        }
        #expect(error?.causes.isEmpty == true)
        #expect(error?.hint.contains(word) == true)
    }
}
