import AppleIdentity
import Foundation
import SignInWithApple
import SignedTokens
import Testing

/// Each test takes a valid token and breaks exactly one thing.
@Suite struct IdentityTokenTests {
    private let apple: ScriptedApple
    private let signIn: AppleSignIn
    private let draft: TokenDraft

    init() throws {
        apple = ScriptedApple()
        try apple.publish([TestKey.first.published(), TestKey.second.published()])
        signIn = apple.signIn()
        draft = TokenDraft(at: apple.time.now)
    }

    @discardableResult
    private func verify(
        _ draft: TokenDraft,
        nonce: NonceExpectation = .absent,
        clientIDs: Set<ClientID>? = nil,
        code: String? = nil,
        accessToken: String? = nil
    ) async throws -> VerifiedIdentity {
        try await signIn.verify(
            draft.signed(),
            expecting: .init(
                nonce: nonce,
                clientIDs: clientIDs,
                authorizationCode: code,
                accessToken: accessToken
            )
        )
    }

    @Test func nothingBroken() async throws {
        let identity = try await verify(draft)
        #expect(identity.userID == "000123.0123456789abcdef0123456789abcdef.0123")
        #expect(identity.clientID == TokenDraft.clientID)
        #expect(identity.email == "maya@example.com")
        #expect(identity.isEmailVerified)
        #expect(!identity.isPrivateEmail)
        #expect(identity.realUserStatus == nil)
    }

    @Test("an address of a relay domain is private without the claim, and one of icloud.com is not")
    func relayAddressWithoutItsClaim() async throws {
        func identity(_ email: String) async throws -> VerifiedIdentity {
            try await verify(draft.with("email", .string(email)))
        }
        #expect(try await identity("x1@privaterelay.appleid.com").isPrivateEmail)
        #expect(try await identity("x1@private.icloud.com").isPrivateEmail)
        #expect(!(try await identity("x1@icloud.com").isPrivateEmail))
        let claimed = draft.with("email", "x1@icloud.com").with("is_private_email", "true")
        #expect(try await verify(claimed).isPrivateEmail)
    }

    @Test(arguments: [
        "", "a", "a.b", "a.b.c.d", "....", "e30.e30.", "%%.e30.e30", "bnVsbA.e30.e30",
    ])
    func shapeOfATextThatIsNoToken(text: String) async {
        await expectRefusal(.tokenMalformed) { try await signIn.verify(text) }
    }

    @Test func paddingAndWhiteSpaceAreRefused() async throws {
        let token = try draft.signed()
        for text in [token + "=", token + "\n", " " + token] {
            await expectRefusal(.tokenMalformed) { try await signIn.verify(text) }
        }
    }

    @Test func twoMegabytesAreTooLong() async {
        let text = String(repeating: "a", count: 2 * 1024 * 1024)
        await expectRefusal(.tokenTooLong) { try await signIn.verify(text) }
        #expect(apple.keyRequestCount == 0)
    }

    @Test(arguments: ["iss", "aud", "exp", "iat", "sub"])
    func missingClaim(name: String) async {
        let error = await expectRefusal(.tokenMalformed) { try await verify(draft.with(name, nil)) }
        #expect(error?.hint.contains(name) == true)
    }

    @Test(
        arguments: [
            ("iss", 1), ("exp", "tomorrow"), ("iat", true), ("sub", 7), ("sub", ""), ("nonce", 7),
            ("email_verified", "yes"), ("is_private_email", 1), ("email", ["a@example.com"]),
            ("aud", ["a": 1]),
        ] as [(String, JSONValue)]
    )
    func claimOfTheWrongType(name: String, value: JSONValue) async {
        await expectRefusal(.tokenMalformed) { try await verify(draft.with(name, value)) }
    }

    @Test func subjectLongerThanOpenIDAllows() async {
        let long = JSONValue.string(String(repeating: "0", count: 256))
        await expectRefusal(.tokenMalformed) { try await verify(draft.with("sub", long)) }
    }

    @Test func realUserStatusOfAnotherTypeIsIgnored() async throws {
        let identity = try await verify(draft.with("real_user_status", "likely"))
        #expect(identity.realUserStatus == nil)
    }

    @Test(arguments: [
        "https://appleid.apple.com/", "https://AppleID.apple.com", "http://appleid.apple.com",
        "https://account.apple.com", "",
    ])
    func otherIssuer(issuer: String) async {
        await expectRefusal(.tokenIssuerMismatch) {
            try await verify(draft.with("iss", .string(issuer)))
        }
    }

    @Test(arguments: [
        "com.example.juice ", "com.example.Juice", "com.example", "TEAM123456.com.example.juice",
        "",
    ])
    func otherAudience(audience: String) async {
        await expectRefusal(.tokenAudienceMismatch) {
            try await verify(draft.with("aud", .string(audience)))
        }
    }

    @Test func audienceIsComparedByteByByte() async throws {
        let composed = "com.example.caf\u{E9}"
        let decomposed = "com.example.cafe\u{301}"
        let signIn = apple.signIn(clientIDs: [ClientID(composed)])
        try await signIn.verify(draft.with("aud", .string(composed)).signed())
        await expectRefusal(.tokenAudienceMismatch) {
            try await signIn.verify(draft.with("aud", .string(decomposed)).signed())
        }
    }

    @Test func audienceAsAList() async throws {
        let own = try await verify(
            draft.with("aud", ["com.example.juice.web", "com.example.juice"])
        )
        #expect(own.clientID == "com.example.juice.web")
        for audience in [[], ["com.example.juice", "com.example.evil"]] as [JSONValue] {
            await expectRefusal(.tokenAudienceMismatch) {
                try await verify(draft.with("aud", audience))
            }
        }
    }

    @Test func audienceOutsideTheSubsetAskedFor() async throws {
        try await verify(draft, clientIDs: ["com.example.juice"])
        for subset in [["com.example.juice.web"], ["com.example.evil"], []] as [Set<ClientID>] {
            await expectRefusal(.tokenAudienceMismatch) {
                try await verify(draft, clientIDs: subset)
            }
        }
        await expectRefusal(.tokenAudienceMismatch) {
            try await verify(draft.with("aud", "com.example.evil"), clientIDs: ["com.example.evil"])
        }
    }

    @Test func expiryWithLeeway() async throws {
        let token = try draft.signed()
        apple.time.advance(bySeconds: 86_459)
        try await signIn.verify(token)
        apple.time.advance(bySeconds: 1)
        await expectRefusal(.tokenExpired) { try await signIn.verify(token) }
    }

    @Test(arguments: ["iat", "nbf"]) func timeAhead(name: String) async throws {
        let now = Int(apple.time.now.timeIntervalSince1970)
        try await verify(draft.with(name, .integer(now + 60)))
        await expectRefusal(.tokenNotYetValid) {
            try await verify(draft.with(name, .integer(now + 61)))
        }
    }

    @Test func timesBeyondAllCalendars() async {
        for seconds in [1e300, -1e300] {
            await expectRefusal(seconds > 0 ? .tokenNotYetValid : .tokenExpired) {
                try await verify(draft.with(seconds > 0 ? "iat" : "exp", .number(seconds)))
            }
        }
    }

    @Test func codeHash() async throws {
        let bound = draft.with("c_hash", .string(HalfHash.make(of: "the code")))
        try await verify(bound, code: "the code")
        try await verify(bound)
        await expectRefusal(.tokenCodeHashMismatch) {
            try await verify(bound, code: "another code")
        }
        await expectRefusal(.tokenCodeHashMismatch) { try await verify(draft, code: "the code") }
    }

    @Test func accessTokenHash() async throws {
        let bound = draft.with("at_hash", .string(HalfHash.make(of: "the token")))
        try await verify(bound, accessToken: "the token")
        try await verify(draft, accessToken: "the token")
        await expectRefusal(.tokenAccessTokenHashMismatch) {
            try await verify(bound, accessToken: "another token")
        }
    }

    @Test func signatureOfAnotherKey() async throws {
        let token = try draft.signed(by: .second)
        await expectRefusal(.tokenSignatureInvalid) { try await signIn.verify(token) }
    }

    /// The codes are read from their source: one without a sentence is in no list.
    private static func declaredCodes() throws -> [SignInError.Code] {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(
            path: "Sources/Server/SignInWithApple/Errors/SignInError+Code.swift"
        )
        return try String(contentsOf: file, encoding: .utf8)
            .matches(of: /static let \w+ = Self\(\s*rawValue: "([a-z_]+)"/)
            .map { SignInError.Code(rawValue: String($0.output.1)) }
    }

    @Test func everyCodeHasItsOwnSentence() throws {
        let declared = try Self.declaredCodes()
        #expect(declared.count > 20 && Set(declared).count == declared.count)
        #expect(Set(declared) == Set(SignInError.Code.all))
        let fallback = SignInError(SignInError.Code(rawValue: "unknown"), hint: "").message
        let sentences = [fallback] + declared.map { SignInError($0, hint: "").message }
        #expect(Set(sentences).count == sentences.count)
        let retryable = SignInError.Code.all.filter { SignInError($0, hint: "").isRetryable }
        #expect(
            Set(retryable) == [
                .appleUnavailable, .appleKeysUnavailable, .keysUnavailable,
                .appleAnswerUnreadable, .tokenKeyNotPublished,
            ]
        )
    }
}
