import AppleIdentity
import Foundation
import SignInWithApple
import SignedTokens
import Testing

/// Bytes that are no JSON are refused wherever they stand, also where no claim is read.
@Suite struct InvalidBytesTests {
    private static let invalid: [[UInt8]] = [
        [0xFF], [0xC0, 0x80], [0x01], [0x0A], [0xED, 0xA0, 0x80],
    ]

    private let apple = ScriptedApple()

    init() throws {
        try apple.publish([TestKey.first.published()])
    }

    /// An object's text with a further member that holds these bytes.
    private func json(_ object: JSONObject, adding bytes: [UInt8]) -> Data {
        object.data.dropLast() + Data(#","other":""#.utf8) + Data(bytes) + Data(#""}"#.utf8)
    }

    private func signed(_ draft: TokenDraft, payload: Data) throws -> String {
        try TestKey.first.signingKey.sign(header: draft.header.data, payload: payload)
    }

    @Test(arguments: invalid)
    func inClaims(bytes: [UInt8]) async throws {
        let draft = TokenDraft(at: apple.time.now)
        let token = try signed(draft, payload: json(draft.claims, adding: bytes))
        await expectRefusal(.tokenMalformed) {
            try await apple.signIn().verify(token, expecting: .init(nonce: .absent))
        }
    }

    @Test(arguments: invalid)
    func inAHeader(bytes: [UInt8]) async throws {
        let draft = TokenDraft(at: apple.time.now)
        let token = try TestKey.first.signingKey.sign(
            header: json(draft.header, adding: bytes),
            payload: draft.claims.data
        )
        await expectRefusal(.tokenMalformed) {
            try await apple.signIn().verify(token, expecting: .init(nonce: .absent))
        }
    }

    @Test(arguments: invalid)
    func inANotification(bytes: [UInt8]) async throws {
        let event: JSONObject = ["type": "consent-revoked", "sub": "s", "event_time": 1]
        let draft = TokenDraft(at: apple.time.now).with("jti", "j").with(
            "events",
            .string(event.text)
        )
        let token = try signed(draft, payload: json(draft.claims, adding: bytes))
        await expectRefusal(.tokenMalformed) {
            try await apple.signIn().notification(from: notificationBody(token))
        }
    }

    @Test(arguments: ["\u{1}", "\n"])
    func inTheEventsOfANotification(text: String) async throws {
        let event = #"{"type":"consent-revoked","sub":"s","event_time":1,"other":"\#(text)"}"#
        let draft = TokenDraft(at: apple.time.now).with("jti", "j").with("events", .string(event))
        await expectRefusal(.tokenMalformed) {
            try await apple.signIn().notification(from: notificationBody(draft.signed()))
        }
    }

    @Test(arguments: ["1", "01", "2"])
    func twiceInTheEventsOfANotification(time: String) async throws {
        let event = #"{"type":"consent-revoked","sub":"s","event_time":1,"event_time":\#(time)}"#
        let draft = TokenDraft(at: apple.time.now).with("jti", "j").with("events", .string(event))
        await expectRefusal(.tokenMalformed) {
            try await apple.signIn().notification(from: notificationBody(draft.signed()))
        }
    }

    @Test(arguments: ["%01", "%0A"])
    func inTheUserField(escaped: String) throws {
        let user = "%7B%22email%22:%22a%40b.example%22,%22other%22:%22\(escaped)%22%7D"
        let callback = try AuthorizationCallback(formBody: Data("code=c&user=\(user)".utf8))
        #expect(callback.user == nil)
        #expect(try callback.authorization().isUserUnreadable)
    }
}
