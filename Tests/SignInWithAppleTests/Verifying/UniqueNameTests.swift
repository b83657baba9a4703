import AppleIdentity
import Foundation
import SignInWithApple
import SignedTokens
import Testing

/// RFC 7515 and 7519, section 4: a name is there once, or the token is refused.
@Suite struct UniqueNameTests {
    private let signIn: AppleSignIn
    private let draft: TokenDraft

    init() throws {
        let apple = ScriptedApple()
        try apple.publish([TestKey.first.published()])
        signIn = apple.signIn()
        draft = TokenDraft(at: apple.time.now)
    }

    /// An object's text up to its closing brace.
    private func open(_ object: JSONObject) -> String { String(object.text.dropLast()) }

    private func verify(header: String? = nil, payload: String? = nil) async throws {
        let token = try TestKey.first.signingKey.sign(
            header: Data((header ?? draft.header.text).utf8),
            payload: Data((payload ?? draft.claims.text).utf8)
        )
        _ = try await signIn.verify(token, expecting: .init(nonce: .absent))
    }

    @Test(arguments: [
        #","aud":"com.example.juice""#, #","sub":"somebody.else""#, #","\u0073ub":"somebody.else""#,
        #","new":1,"new":2"#, #", "exp":1"#, #","aud":["com.example.juice"]"#,
    ])
    func claimTwice(addition: String) async throws {
        let payload = open(draft.claims) + addition + "}"
        let error = await expectRefusal(.tokenMalformed) { try await verify(payload: payload) }
        #expect(error?.hint.contains("\" twice, at byte ") == true)
    }

    @Test(arguments: [
        #","alg":"RS256""#, #","kid":"AppleKeyN2""#, #","\u006bid":"AppleKeyN2""#, #","n":1,"n":1"#,
    ])
    func headerMemberTwice(addition: String) async throws {
        let header = open(draft.header) + addition + "}"
        await expectRefusal(.tokenMalformed) { try await verify(header: header) }
    }

    @Test func unknownClaimsThatDifferAreFine() async throws {
        let others = (1...20).map { ",\"new\($0)\":\($0)" }.joined()
        try await verify(payload: open(draft.claims) + others + "}")
        try await verify(payload: open(draft.claims) + #","n":1,"\u0062":2}"#)
        try await verify(header: open(draft.header) + others + "}")
    }
}
