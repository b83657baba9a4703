import AppleIdentity
import Foundation
import SignInWithApple
import Testing

@Suite struct UnknownKeyTests {
    private let apple = ScriptedApple()
    private let expectation = IdentityTokenExpectation(nonce: .absent)

    private func token(keyID: String = TestKey.first.keyID, by key: TestKey = .first) throws
        -> String
    {
        try TokenDraft(at: apple.time.now, keyID: keyID).signed(by: key)
    }

    private func answersSlowly(_ keys: [TestKey]) throws {
        let time = apple.time.source
        let document = try JSONEncoder().encode(["keys": keys.map { try $0.published() }])
        apple.answer(ApplePath.keys) {
            try await time.sleep(for: .seconds(2))
            return ScriptedApple.Answer(body: document)
        }
    }

    @Test func rotatedKeyIsNotRefusedForGoodAfterAJunkToken() async throws {
        try apple.publish([TestKey.first.published()])
        let signIn = apple.signIn()
        await expectRefusal(.tokenUnknownKey) {
            try await signIn.verify(token(keyID: "junk"), expecting: expectation)
        }
        try apple.publish([TestKey.first.published(), TestKey.second.published()])
        apple.time.advance(bySeconds: 20)
        let rotated = try token(keyID: TestKey.second.keyID, by: .second)
        let error = await expectRefusal(.appleKeysUnavailable) {
            try await signIn.verify(rotated, expecting: expectation)
        }
        #expect(error?.isRetryable == true)
        #expect(error?.retryAfterSeconds == 40)
        #expect(apple.keyRequestCount == 1)
        apple.time.advance(bySeconds: 40)
        _ = try await signIn.verify(rotated, expecting: expectation)
    }

    @Test func floodFetchesOncePerIntervalAlsoWhileTheEndpointFails() async throws {
        try apple.publish([TestKey.first.published()], cacheControl: "max-age=86400")
        let signIn = apple.signIn()
        _ = try await signIn.verify(token(), expecting: expectation)
        apple.answer(ApplePath.keys, status: 500, "")
        for interval in 1...3 {
            for second in 0..<60 {
                let token = try token(keyID: "unknown-\(interval)-\(second)")
                let error = await expectRefusal(.appleKeysUnavailable) {
                    try await signIn.verify(token, expecting: expectation)
                }
                #expect(error?.retryAfterSeconds == 60 - second)
                apple.time.advance(bySeconds: 1)
            }
            #expect(apple.keyRequestCount == 1 + interval)
            _ = try await signIn.verify(self.token(), expecting: expectation)
        }
        #expect(apple.keyRequestCount == 4)
    }

    @Test func whoJoinsAnotherKeysRenewalLooksOnceMore() async throws {
        try apple.publish([TestKey.first.published()])
        let signIn = apple.signIn()
        _ = try await signIn.verify(token(), expecting: expectation)
        apple.time.advance(bySeconds: 3600)
        try answersSlowly([.first])
        _ = try await signIn.verify(token(), expecting: expectation)
        await waitUntil("the renewal waits") { apple.time.sleeperCount == 2 }
        try apple.publish([TestKey.first.published(), TestKey.second.published()])
        let rotated = try token(keyID: TestKey.second.keyID, by: .second)
        let joined = Task.immediate { try await signIn.verify(rotated, expecting: expectation) }
        #expect(apple.keyRequestCount == 2)
        apple.time.advance(bySeconds: 2)
        _ = try await joined.value
        #expect(apple.keyRequestCount == 3)
    }

    @Test func whoJoinsAJunkTokensLookUpMayComeAgain() async throws {
        try answersSlowly([.first])
        let signIn = apple.signIn()
        let junk = try token(keyID: "junk")
        let rotated = try token(keyID: TestKey.second.keyID, by: .second)
        let first = Task.immediate { try await signIn.verify(junk, expecting: expectation) }
        let second = Task.immediate { try await signIn.verify(rotated, expecting: expectation) }
        await waitUntil("the look-up waits") { apple.time.sleeperCount == 2 }
        apple.time.advance(bySeconds: 2)
        await expectRefusal(.tokenUnknownKey) { try await first.value }
        let error = await expectRefusal(.appleKeysUnavailable) { try await second.value }
        #expect(error?.retryAfterSeconds == 60)
        #expect(apple.keyRequestCount == 1)
    }
}
