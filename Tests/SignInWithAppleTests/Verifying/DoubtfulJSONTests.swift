import AppleIdentity
import Foundation
import SignInWithApple
import SignedTokens
import Testing

/// Text that two readers could read differently is rejected in every place, even outside the claims:
/// bytes that are not JSON, and a repeated name (RFC 7515 and 7519, section 4).
@Suite struct DoubtfulJSONTests {
    private static let invalid: [[UInt8]] = [
        [0xFF], [0xC0, 0x80], [0x01], [0x0A], [0xED, 0xA0, 0x80],
    ]

    private let signIn: AppleSignIn
    private let draft: TokenDraft

    init() throws {
        let apple = ScriptedApple()
        try apple.publish([TestKey.first.published()])
        signIn = apple.signIn()
        draft = TokenDraft(at: apple.time.now)
    }

    /// An object's text with more text before its end.
    private func json(_ object: JSONObject, adding text: Data) -> Data {
        object.data.dropLast() + text + Data("}".utf8)
    }

    private func json(_ object: JSONObject, adding bytes: [UInt8]) -> Data {
        json(object, adding: Data(#","other":""#.utf8) + Data(bytes) + Data("\"".utf8))
    }

    private func sign(header: Data? = nil, payload: Data? = nil) throws -> String {
        try TestKey.first.signingKey
            .sign(header: header ?? draft.header.data, payload: payload ?? draft.claims.data)
    }

    private func verify(header: Data? = nil, payload: Data? = nil) async throws {
        try await signIn.verify(sign(header: header, payload: payload))
    }

    private func notify(events: String, adding bytes: [UInt8]? = nil) async throws {
        let claims = draft.with("jti", "j").with("events", .string(events)).claims
        let payload = bytes.map { json(claims, adding: $0) } ?? claims.data
        _ = try await signIn.notification(from: notificationBody(sign(payload: payload)))
    }

    private func event(_ addition: String) -> String {
        #"{"type":"consent-revoked","sub":"s","event_time":1\#(addition)}"#
    }

    @Test(arguments: invalid)
    func bytes(invalid: [UInt8]) async {
        await expectRefusal(.tokenMalformed) {
            try await verify(payload: json(draft.claims, adding: invalid))
        }
        await expectRefusal(.tokenMalformed) {
            try await verify(header: json(draft.header, adding: invalid))
        }
        await expectRefusal(.tokenMalformed) {
            try await notify(events: event(""), adding: invalid)
        }
    }

    @Test(arguments: [
        ",\"other\":\"\u{1}\"", ",\"other\":\"\n\"", ",\"event_time\":1", ",\"event_time\":01",
        ",\"event_time\":2",
    ])
    func eventsOfANotification(addition: String) async throws {
        try await notify(events: event(""))
        await expectRefusal(.tokenMalformed) { try await notify(events: event(addition)) }
    }

    @Test(arguments: ["%01", "%0A"])
    func userField(escaped: String) throws {
        let user = "%7B%22email%22:%22a%40b.example%22,%22other%22:%22\(escaped)%22%7D"
        let callback = try AuthorizationCallback(formBody: Data("code=c&user=\(user)".utf8))
        #expect(callback.user == nil)
        #expect(try callback.authorization().isUserUnreadable)
    }

    @Test(arguments: [
        #","aud":"com.example.juice""#, #","sub":"somebody.else""#, #","\u0073ub":"somebody.else""#,
        #","new":1,"new":2"#, #", "exp":1"#, #","aud":["com.example.juice"]"#,
    ])
    func claimTwice(addition: String) async throws {
        let error = await expectRefusal(.tokenMalformed) {
            try await verify(payload: json(draft.claims, adding: Data(addition.utf8)))
        }
        #expect(error?.hint.contains("\" twice, at byte ") == true)
    }

    @Test(arguments: [
        #","alg":"RS256""#, #","kid":"AppleKeyN2""#, #","\u006bid":"AppleKeyN2""#, #","n":1,"n":1"#,
    ])
    func headerMemberTwice(addition: String) async throws {
        await expectRefusal(.tokenMalformed) {
            try await verify(header: json(draft.header, adding: Data(addition.utf8)))
        }
    }

    @Test func unknownNamesThatDifferAreFine() async throws {
        let others = Data((1...20).map { ",\"new\($0)\":\($0)" }.joined().utf8)
        try await verify(payload: json(draft.claims, adding: others))
        try await verify(payload: json(draft.claims, adding: Data(#","n":1,"\u0062":2"#.utf8)))
        try await verify(header: json(draft.header, adding: others))
    }
}
