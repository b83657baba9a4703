import AppleIdentity
import SignInWithApple
import Testing

/// A user is signed out only by Apple's error about a token that may be a refresh token.
@Suite struct RevocationVerdictTests {
    private static let text = "0123456789abcdef0123456789abcdef.0.nruy.abcdefghijklmnopqrstuv"
    private static let ended = "The token has expired or has been revoked."

    private let apple = ScriptedApple()

    private func answer(_ word: String, _ sentence: String?) {
        var body: JSONObject = ["error": .string(word)]
        body["error_description"] = sentence.map { .string($0) }
        apple.answer(ApplePath.token, status: 400, body.text)
    }

    private func validate(_ token: String) async throws -> RefreshValidation {
        try await apple.signIn(key: TestSecretKey().key())
            .validate(token, clientID: TokenDraft.clientID, nextCheck: nil)
    }

    @Test(
        arguments: [
            ("invalid_grant", ended), ("invalid_request", "The user has revoked the client."),
        ] as [(String, String?)]
    )
    func applesWordSignsOut(word: String, sentence: String?) async throws {
        answer(word, sentence)
        for token in ["r" + Self.text, "a form of tomorrow"] {
            let validation = try await validate(token)
            #expect(validation.finding == .revoked)
            #expect(validation.error?.hint.contains(word) == true)
        }
    }

    @Test(
        arguments: [
            ("invalid_grant", nil), ("invalid_grant", "client_id mismatch. The token was not …"),
            ("invalid_grant", "A sentence of tomorrow."),
            ("invalid_request", nil), ("invalid_request", "The parameter grant_type is missing."),
            ("invalid_client", nil),
            ("unauthorized_client", ended), ("unsupported_grant_type", nil), ("new", ended),
        ] as [(String, String?)]
    )
    func otherWordsSignNobodyOut(word: String, sentence: String?) async throws {
        answer(word, sentence)
        let validation = try await validate("r" + Self.text)
        #expect(validation.finding == .failed)
    }

    @Test(arguments: ["a" + text, "c" + text, "eyJhbGciOiJSUzI1NiJ9.e30.AA"])
    func anotherKindOfTokenSignsNobodyOut(token: String) async throws {
        let answers: [(String, String?, SignInError.Code)] = [
            ("invalid_grant", Self.ended, .appleRefusedGrant),
            ("invalid_request", nil, .appleRefusedRequest),
        ]
        for (word, sentence, code) in answers {
            answer(word, sentence)
            let validation = try await validate(token)
            #expect(validation.finding == .failed)
            #expect(validation.error?.code == code)
        }
    }
}
