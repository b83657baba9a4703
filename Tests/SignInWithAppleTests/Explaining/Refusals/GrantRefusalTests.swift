import AppleIdentity
import Foundation
import SignInWithApple
import Testing

/// Apple's `invalid_grant`, with and without its sentences, and the causes told for it.
@Suite struct GrantRefusalTests {
    private static let app: ClientID = "com.example.juice"
    private static let web: ClientID = "com.example.juice.web"
    private static let redirectURI = "https://juice.example.com/callback"
    private static let text = "0123456789abcdef0123456789abcdef.0.nruy.abcdefghijklmnopqrstuv"

    private let apple = ScriptedApple()
    private let signIn: AppleSignIn

    init() throws {
        var configuration = SignInWithAppleConfiguration(
            clientIDs: [Self.app, Self.web],
            key: try TestSecretKey().key()
        )
        configuration.servicesIDs = [Self.web]
        signIn = AppleSignIn(
            configuration: configuration,
            transport: apple.transport,
            time: apple.time.source
        )
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
            try await signIn.redeem(code: code, clientID: clientID, redirectURI: redirectURI)
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

    @Test func kindOfClientAndRedirectBelongTogether() async throws {
        refuse()
        let app = try await causes(redirectURI: Self.redirectURI)
        #expect(app.first?.code == .redirectWithBundleID)
        let web = try await causes(code: "c.1", clientID: Self.web)
        #expect(web.first?.code == .servicesIDWithoutRedirect)
        let good = try await causes(
            code: "c.2",
            clientID: Self.web,
            redirectURI: Self.redirectURI
        )
        #expect(!good.contains { $0.isEvident })
        #expect(
            good.map(\.code) == [.codeAlreadyUsed, .codeLate, .clientMismatch, .redirectMismatch]
        )
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

    @Test func otherRefusalsHaveNoCauses() async {
        apple.answer(ApplePath.token, status: 400, #"{"error":"invalid_request"}"#)
        let error = await expectRefusal(.appleRefusedRequest) {
            try await signIn.refresh("r", clientID: Self.app)
        }
        #expect(error?.causes.isEmpty == true)
    }
}
