import AppleIdentity
import Foundation
import SignInWithApple
import SignedTokens
import Testing

/// Notifications signed by a key of the test's own, each wrong in one way.
@Suite struct NotificationTests {
    private static let subject = "000123.0123456789abcdef0123456789abcdef.0123"

    private let apple = ScriptedApple()

    init() throws { try apple.publish([TestKey.first.published()]) }

    private var now: Int { Int(apple.time.now.timeIntervalSince1970) }

    private func event(_ kind: String, _ changes: JSONObject = [:]) -> JSONObject {
        var event: JSONObject = [
            "type": .string(kind), "sub": .string(Self.subject),
            "event_time": .integer(now * 1000 + 123),
        ]
        for member in changes.members { event[member.name] = member.value }
        return event
    }

    private func draft(_ event: JSONObject) -> TokenDraft {
        var draft = TokenDraft(at: apple.time.now)
        draft.claims = [
            "iss": .string(TokenDraft.issuer), "aud": .string(TokenDraft.clientID.rawValue),
            "exp": .integer(now + 86_400), "iat": .integer(now), "jti": "abcdefghijklmnopqrstuv",
            "events": .string(event.text),
        ]
        return draft
    }

    private func verify(_ draft: TokenDraft) async throws -> VerifiedNotification {
        try await apple.signIn().notification(from: notificationBody(draft.signed()))
    }

    @Test func tellsWhatHappenedToWhomAndWhen() async throws {
        let address: JSONObject = [
            "email": "x@privaterelay.appleid.com", "is_private_email": "true",
        ]
        let notification = try await verify(draft(event("email-disabled", address)))
        #expect(notification.event.kind == .emailDisabled)
        #expect(notification.userID == UserID(Self.subject))
        #expect(notification.event.eventTime.timeIntervalSince1970 == Double(now) + 0.123)
        #expect(notification.event.email == "x@privaterelay.appleid.com")
        #expect(notification.event.isPrivateEmail == true)
        #expect(notification.notificationID == "abcdefghijklmnopqrstuv")
        #expect(notification.clientID == TokenDraft.clientID)
        #expect(notification.expirationTime.timeIntervalSince(notification.issuedAt) == 86_400)
    }

    @Test func sentTwiceIsRecognizable() async throws {
        let token = try draft(event("consent-revoked")).signed()
        let signIn = apple.signIn()
        let first = try await signIn.notification(from: notificationBody(token))
        let second = try await signIn.notification(from: notificationBody(token))
        #expect(first == second)
        #expect(apple.keyRequestCount == 1)
    }

    @Test func identityTokenIsNoNotification() async throws {
        let refusal = await expectRefusal(.tokenWrongKind) {
            try await verify(TokenDraft(at: apple.time.now))
        }
        #expect(refusal?.message == "This is not a notification.")
    }

    @Test func notificationIsNoIdentityToken() async throws {
        let token = try draft(event("consent-revoked")).with("sub", .string(Self.subject)).signed()
        await expectRefusal(.tokenWrongKind) {
            try await apple.signIn().verify(token, expecting: .init(nonce: .unchecked))
        }
    }

    @Test(
        arguments: [
            ("iss", "https://account.apple.com" as JSONValue, SignInError.Code.tokenIssuerMismatch),
            ("aud", "com.example.other", .tokenAudienceMismatch),
            ("aud", ["com.example.juice", "com.example.other"], .tokenAudienceMismatch),
            ("aud", [], .tokenAudienceMismatch),
            ("exp", 0, .tokenExpired), ("iat", 99_999_999_999, .tokenNotYetValid),
            ("nbf", 99_999_999_999, .tokenNotYetValid), ("nbf", "soon", .tokenMalformed),
            ("exp", "soon", .tokenMalformed), ("jti", "", .tokenMalformed),
            ("jti", 7, .tokenMalformed), ("jti", nil, .tokenMalformed),
            ("events", "not JSON", .tokenMalformed), ("events", [], .tokenMalformed),
            ("events", "{}", .tokenMalformed), ("events", .null, .tokenMalformed),
        ] as [(String, JSONValue?, SignInError.Code)]
    )
    func wrongClaimIsRefused(name: String, value: JSONValue?, code: SignInError.Code) async throws {
        let refusal = await expectRefusal(code) {
            try await verify(draft(event("consent-revoked")).with(name, value))
        }
        #expect(refusal?.message.contains("identity token") == false)
    }

    @Test func endAndStartHaveAMinuteOfLeeway() async throws {
        let good = draft(event("consent-revoked"))
        _ = try await verify(good.with("exp", .integer(now - 59)))
        _ = try await verify(good.with("iat", .integer(now + 60)))
        await expectRefusal(.tokenExpired) {
            try await verify(good.with("exp", .integer(now - 60)))
        }
        await expectRefusal(.tokenNotYetValid) {
            try await verify(good.with("iat", .integer(now + 61)))
        }
    }

    @Test func signatureAndKeyAreChecked() async throws {
        let good = draft(event("consent-revoked"))
        await expectRefusal(.tokenSignatureInvalid) {
            try await apple.signIn().notification(from: notificationBody(good.signed(by: .second)))
        }
        let unknown = good.withHeader("kid", "UNKNOWNKEY")
        await expectRefusal(.tokenUnknownKey) { try await verify(unknown) }
        await expectRefusal(.tokenMalformed) { try await verify(good.withHeader("kid", nil)) }
        let secret = TestSecretKey()
        let other = try SigningKey(secret.privateKey)
            .sign(header: good.withHeader("alg", "ES256").header.data, payload: good.claims.data)
        await expectRefusal(.tokenUnsupportedAlgorithm) {
            try await apple.signIn().notification(from: notificationBody(other))
        }
    }

    @Test(arguments: [
        "", "{", "[]", "null", "\"payload\"", "{}", #"{"payload":1}"#, #"{"payload":""}"#,
        #"{"payload":"a.b.c","payload":"a.b.c"}"#, #"{"Payload":"a.b.c"}"#, "\u{FEFF}{}",
    ])
    func wrongBodyIsRefused(text: String) async throws {
        let refusal = await expectRefusal(.notificationMalformed) {
            try await apple.signIn().notification(from: Data(text.utf8))
        }
        #expect(refusal?.message == "The notification cannot be read.")
        #expect(apple.keyRequestCount == 0)
    }

    @Test func notificationOfTheAppStoreIsNamed() async throws {
        let refusal = await expectRefusal(.notificationMalformed) {
            try await apple.signIn().notification(from: Data(#"{"signedPayload":"a.b.c"}"#.utf8))
        }
        let sentence =
            "This is an App Store server notification, not a Sign in with Apple notification."
        #expect(refusal?.message == sentence)
        #expect(refusal?.hint.contains("App Store Connect") == true)
    }

    @Test func longBodyIsRefusedUnread() async throws {
        let body = Data(repeating: UInt8(ascii: " "), count: 32 * 1024) + Data("{}".utf8)
        await expectRefusal(.notificationMalformed) {
            try await apple.signIn().notification(from: body)
        }
    }

    @Test func missingKeysAreNoRefusal() async throws {
        apple.answer(ApplePath.keys, status: 503, "")
        let token = try draft(event("consent-revoked")).signed()
        let refusal = await expectRefusal(.appleKeysUnavailable) {
            try await apple.signIn().notification(from: notificationBody(token))
        }
        #expect(refusal?.isRetryable == true)
    }
}
