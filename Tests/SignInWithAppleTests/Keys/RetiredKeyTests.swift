import AppleIdentity
import Foundation
import TestSupport
import Testing

@testable import SignInWithApple

/// Apple rotates its keys between signing a token and the moment when it arrives.
@Suite struct RetiredKeyTests {
    private let apple = ScriptedApple()

    /// Apple withdraws its first key, and another user's token makes the server notice.
    private func rotated() async throws -> AppleSignIn {
        try apple.publish([TestKey.first.published()])
        let signIn = apple.signIn()
        try await signIn.verify(apple.token(by: .first))
        try apple.publish([TestKey.second.published()])
        try await signIn.verify(apple.token(by: .second))
        return signIn
    }

    @Test func tokenOfBeforeTheRotationIsVerified() async throws {
        let early = try apple.token(by: .first)
        let signIn = try await rotated()
        apple.time.advance(bySeconds: 86_399)
        try await signIn.verify(early)
        #expect(apple.keyRequestCount == 2)
    }

    @Test func notificationOfBeforeTheRotationIsVerified() async throws {
        let event: JSONObject = ["type": "consent-revoked", "sub": "000123.a", "event_time": 1]
        let early = try TokenDraft(at: apple.time.now)
            .with("events", .string(JSONValue.object(event).text)).with("jti", "j1").signed()
        let signIn = try await rotated()
        let body: JSONObject = ["payload": .string(early)]
        let notification = try await signIn.notification(from: body.data)
        #expect(notification.notificationID == "j1")
    }

    @Test func keyVerifiesNothingOfAfterItsWithdrawal() async throws {
        let signIn = try await rotated()
        apple.time.advance(bySeconds: 1)
        await expectRefusal(.tokenUnknownKey) { try await signIn.verify(apple.token(by: .first)) }
    }

    @Test func keyIsForgottenAfterADay() async throws {
        let early = try TokenDraft(at: apple.time.now)
            .with("exp", .integer(Int(apple.time.now.timeIntervalSince1970) + 200_000)).signed()
        let signIn = try await rotated()
        apple.time.advance(bySeconds: 86_400)
        await expectRefusal(.tokenUnknownKey) { try await signIn.verify(early) }
    }

    @Test func anotherKeyOfTheSameNameVerifiesNothing() async throws {
        let signIn = try await rotated()
        let forged = try TokenDraft(at: apple.time.now).signed(by: .second)
        await expectRefusal(.tokenUnknownKey) { try await signIn.verify(forged) }
    }

    @Test func keysAreBoundedInNumber() throws {
        let key = try TestKey.first.published().verificationKey()
        let now = apple.time.now
        var retired = RetiredKeys()
        for number in 0..<100 {
            let time = now.addingTimeInterval(TimeInterval(number))
            retired.follow(from: ["\(number)": key], to: [:], at: time)
        }
        let kept = (0..<100).filter { retired.key(named: "\($0)", at: now) != nil }
        #expect(kept == Array(100 - RetiredKeys.maximumCount..<100))
    }
}
