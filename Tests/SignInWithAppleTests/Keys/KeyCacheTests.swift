import AppleIdentity
import Foundation
import HTTPTypes
import SignInWithApple
import SignedTokens
import TestSupport
import Testing

@Suite struct KeyCacheTests {
    private let apple = ScriptedApple()
    private let signIn: AppleSignIn

    init() { signIn = apple.signIn() }

    private func token(keyID: String? = nil) throws -> String { try apple.token(keyID: keyID) }

    @Test func keysAreFetchedOnceAndKept() async throws {
        try apple.publish([TestKey.first.published()])
        for _ in 0..<50 { try await signIn.verify(token()) }
        #expect(apple.keyRequestCount == 1)
        let asked = try #require(apple.asked(ApplePath.keys).first)
        #expect(asked.request.method == .get)
        #expect(asked.request.scheme == "https")
        #expect(asked.request.authority == "appleid.apple.com")
    }

    @Test func readinessCheckFetchesTheKeys() async throws {
        apple.answer(ApplePath.keys, status: 500, "")
        await expectRefusal(.appleKeysUnavailable) { try await signIn.prepare() }
        try apple.publish([TestKey.first.published()])
        apple.time.advance(bySeconds: 60)
        for _ in 0..<3 { try await signIn.prepare() }
        try await signIn.verify(token())
        #expect(apple.keyRequestCount == 2)
    }

    @Test func hundredParallelVerificationsShareOneFetch() async throws {
        let keys = try ScriptedApple.document([TestKey.first.published()])
        apple.answer(ApplePath.keys, after: .seconds(2), keys)
        let token = try token()
        let count = try await withThrowingTaskGroup(of: VerifiedIdentity.self) { group in
            for _ in 0..<100 {
                group.addTask { try await signIn.verify(token) }
            }
            try await waitUntil("the fetch is under way") { apple.time.sleeperCount == 2 }
            apple.time.advance(bySeconds: 3)
            return try await group.reduce(into: 0) { count, _ in count += 1 }
        }
        #expect(count == 100)
        #expect(apple.keyRequestCount == 1)
    }

    @Test func aClockSetBackPutsNoRenewalOff() async throws {
        try apple.publish([TestKey.first.published()], cacheControl: "max-age=900")
        try await signIn.verify(token())
        apple.time.advance(bySeconds: -30 * 86_400)
        try await signIn.verify(token())
        try await waitUntil("the keys are renewed") { apple.keyRequestCount == 2 }
    }

    @Test func aClockSetBackPutsNoFetchAfterAFailureOff() async throws {
        apple.answer(ApplePath.keys, status: 500, "")
        for _ in 1...8 {
            await expectRefusal(.appleKeysUnavailable) { try await signIn.verify(token()) }
            apple.time.advance(bySeconds: 60)
        }
        await expectRefusal(.appleKeysUnavailable) { try await signIn.verify(token()) }
        apple.time.advance(bySeconds: -86_400)
        let error = await expectRefusal(.appleKeysUnavailable) { try await signIn.verify(token()) }
        #expect(error?.retryAfter == .seconds(60))
        try apple.publish([TestKey.first.published()])
        apple.time.advance(bySeconds: 60)
        try await signIn.verify(token())
    }

    @Test func twoRotationsInOneMinuteAreFollowed() async throws {
        try apple.publish([TestKey.first.published(as: "A")])
        for name in ["A", "B", "C", "D"] {
            try apple.publish([TestKey.first.published(as: name)])
            try await signIn.verify(token(keyID: name))
        }
        #expect(apple.keyRequestCount == 4)
    }

    @Test func floodOfUnknownKeysFetchesFiveTimesAMinute() async throws {
        try apple.publish([TestKey.first.published()])
        try await signIn.verify(token())
        for minute in 1...3 {
            for number in 0..<200 {
                let token = try token(keyID: "unknown-\(minute)-\(number)")
                let code: SignInError.Code = number < 5 ? .tokenUnknownKey : .tokenKeyNotPublished
                let error = await expectRefusal(code) { try await signIn.verify(token) }
                #expect(error?.retryAfter == (number < 5 ? nil : .seconds(12)))
            }
            #expect(apple.keyRequestCount == 1 + 5 * minute)
            try await signIn.verify(token())
            apple.time.advance(bySeconds: 60)
        }
    }

    @Test(
        arguments: [
            (nil, 3600), ("max-age=900", 900), ("public, Max-Age=7200", 7200), ("max-age=1", 300),
            ("max-age=31536000", 86_400), ("no-store", 300), ("max-age=never", 3600),
            ("max-age=-5", 300),
        ] as [(String?, TimeInterval)]
    )
    func cacheControlIsHonouredWithinBounds(header: String?, seconds: TimeInterval) async throws {
        try apple.publish([TestKey.first.published()], cacheControl: header)
        try await signIn.verify(token())
        apple.time.advance(bySeconds: seconds - 1)
        try await signIn.verify(token())
        #expect(apple.keyRequestCount == 1)
        apple.time.advance(bySeconds: 1)
        try await signIn.verify(token())
        try await waitUntil("the keys are renewed") { apple.keyRequestCount == 2 }
    }

    @Test(arguments: [
        (500, "Internal Server Error"), (200, "<html>Maintenance</html>"), (200, "{}"), (200, ""),
        (200, #"{"keys":[]}"#), (200, #"{"keys":[{"kty":"EC","kid":"AppleKeyN1"}]}"#), (302, ""),
        (429, ""), (200, String(repeating: " ", count: 300 * 1024)),
    ])
    func failureKeepsKnownKeysAndIsNotABadToken(status: Int, body: String) async throws {
        try apple.publish([TestKey.first.published()])
        try await signIn.verify(token())
        apple.answer(ApplePath.keys, status: status, body)
        apple.time.advance(bySeconds: 7200)
        try await signIn.verify(token())
        apple.time.advance(bySeconds: 30 * 86_400)
        try await signIn.verify(token())
        let error = await expectRefusal(.appleKeysUnavailable) {
            try await signIn.verify(token(keyID: "new"))
        }
        #expect(error?.isRetryable == true)
        let cold = apple.signIn()
        await expectRefusal(.appleKeysUnavailable) { try await cold.verify(token()) }
    }

    @Test func repeatedFailuresPauseLongerAndLonger() async throws {
        apple.answer(ApplePath.keys, status: 500, "")
        let pauses = [1, 2, 4, 8, 16, 32, 60, 60]
        for (number, pause) in pauses.enumerated() {
            for _ in 0..<100 {
                let error = await expectRefusal(.appleKeysUnavailable) {
                    try await signIn.verify(token())
                }
                #expect(error?.retryAfter == .seconds(pause))
            }
            #expect(apple.keyRequestCount == number + 1)
            apple.time.advance(bySeconds: TimeInterval(pause))
        }
        try apple.publish([TestKey.first.published()])
        try await signIn.verify(token())
    }

    @Test func slowEndpointHoldsNobodyUpWhoseKeyIsKnown() async throws {
        try apple.publish([TestKey.first.published()])
        try await signIn.verify(token())
        apple.answer(ApplePath.keys, after: .seconds(3600))
        apple.time.advance(bySeconds: 7200)
        for _ in 0..<10 { try await signIn.verify(token()) }
        try await waitUntil("the renewal waits") { apple.time.sleeperCount == 2 }
        #expect(apple.keyRequestCount == 2)
    }

    @Test func slowEndpointIsGivenUpAfterTenSeconds() async throws {
        apple.answer(ApplePath.keys, after: .seconds(3600))
        let token = try token()
        async let outcome = expectRefusal(.appleKeysUnavailable) { try await signIn.verify(token) }
        try await waitUntil("the fetch waits") { apple.time.sleeperCount == 2 }
        apple.time.advance(bySeconds: 10)
        _ = await outcome
        #expect(apple.time.sleeperCount == 0)
    }

    @Test func aCallerThatGivesUpLeavesTheFetchToTheOthers() async throws {
        let keys = try ScriptedApple.document([TestKey.first.published()])
        apple.answer(ApplePath.keys, after: .seconds(2), keys)
        let token = try token()
        let first = Task { try await signIn.verify(token) }
        try await waitUntil("the fetch waits") { apple.time.sleeperCount == 2 }
        first.cancel()
        let second = Task { try await signIn.verify(token) }
        apple.time.advance(bySeconds: 3)
        _ = try await second.value
        #expect(apple.keyRequestCount == 1)
    }

    @Test func discoveryIsNeverAsked() async throws {
        let published = try Fixture.data("discovery/openid-configuration-2024-10-01-3123436.json")
        let moved = String(decoding: published, as: UTF8.self)
            .replacing("https://appleid.apple.com", with: "https://account.apple.com")
        apple.answer(ApplePath.discovery, moved)
        try apple.publish([TestKey.first.published()])
        try await signIn.verify(token())
        let other = TokenDraft(at: apple.time.now).with("iss", "https://account.apple.com")
        await expectRefusal(.tokenIssuerMismatch) { try await signIn.verify(other.signed()) }
        #expect(apple.asked(ApplePath.discovery).isEmpty)
    }

    @Test func keySetsApplePublishedIn2024Parse() async throws {
        for name in ["2024-06-21-wellknown-681795a", "2024-10-01-wellknown-3123436"] {
            let set = try JSONWebKeySet(json: Fixture.data("jwks/\(name).json"))
            #expect(set.verificationKeys().count == set.keys.count)
            #expect(set.keys.count >= 3)
        }
    }
}
