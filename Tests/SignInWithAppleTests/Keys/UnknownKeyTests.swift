import AppleIdentity
import Foundation
import TestSupport
import Testing

@testable import SignInWithApple

@Suite struct UnknownKeyTests {
    private let apple = ScriptedApple()
    private let expectation = IdentityTokenExpectation(nonce: .absent)

    private func token(keyID: String = TestKey.first.keyID, by key: TestKey = .first) throws
        -> String
    { try TokenDraft(at: apple.time.now, keyID: keyID).signed(by: key) }

    private func answersSlowly(_ keys: [TestKey]) throws {
        let time = apple.time.source
        let document = try JSONEncoder().encode(["keys": keys.map { try $0.published() }])
        apple.answer(ApplePath.keys) {
            try await time.sleep(for: .seconds(2))
            return ScriptedApple.Answer(body: document)
        }
    }

    @Test func aJunkTokenKeepsNobodyOutAfterARotation() async throws {
        try apple.publish([TestKey.first.published()])
        let signIn = apple.signIn()
        await expectRefusal(.tokenUnknownKey) {
            try await signIn.verify(token(keyID: "junk"), expecting: expectation)
        }
        try apple.publish([TestKey.first.published(), TestKey.second.published()])
        _ = try await signIn.verify(
            token(keyID: TestKey.second.keyID, by: .second),
            expecting: expectation
        )
        #expect(apple.keyRequestCount == 2)
    }

    @Test func afterManyJunkTokensARotatedKeyIsFoundTwelveSecondsLater() async throws {
        try apple.publish([TestKey.first.published()])
        let signIn = apple.signIn()
        _ = try await signIn.verify(token(), expecting: expectation)
        for number in 0..<KeyFetchBudget.maximumCount {
            await expectRefusal(.tokenUnknownKey) {
                try await signIn.verify(token(keyID: "junk-\(number)"), expecting: expectation)
            }
        }
        try apple.publish([TestKey.first.published(), TestKey.second.published()])
        let rotated = try token(keyID: TestKey.second.keyID, by: .second)
        let error = await expectRefusal(.tokenKeyNotPublished) {
            try await signIn.verify(rotated, expecting: expectation)
        }
        #expect(error?.isRetryable == true)
        #expect(error?.retryAfter == .seconds(12))
        #expect(error?.message == "This token names a key that Apple did not publish a moment ago.")
        apple.time.advance(bySeconds: 12)
        _ = try await signIn.verify(rotated, expecting: expectation)
    }

    @Test func aClockSetBackDoesNotPutTheNextLookOff() {
        var budget = KeyFetchBudget()
        let now = Date(timeIntervalSince1970: 1_769_000_000)
        let taken = (0...KeyFetchBudget.maximumCount).map { _ in budget.take(at: now) }
        #expect(taken == [true, true, true, true, true, false])
        let earlier = now.addingTimeInterval(-86_400)
        let isTakenAtOnce = budget.take(at: earlier)
        #expect(!isTakenAtOnce)
        let isTakenLater = budget.take(
            at: earlier.addingTimeInterval(KeyFetchBudget.intervalSeconds)
        )
        #expect(isTakenLater)
    }

    @Test func floodIsHeldBackAlsoWhileTheEndpointFails() async throws {
        try apple.publish([TestKey.first.published()], cacheControl: "max-age=86400")
        let signIn = apple.signIn()
        _ = try await signIn.verify(token(), expecting: expectation)
        apple.answer(ApplePath.keys, status: 500, "")
        for second in 0..<180 {
            let junk = try token(keyID: "unknown-\(second)")
            let error = await expectRefusal(.appleKeysUnavailable) {
                try await signIn.verify(junk, expecting: expectation)
            }
            #expect((1...60).contains(error?.retryAfter?.wholeSeconds ?? 0))
            apple.time.advance(bySeconds: 1)
        }
        // After 0, 1, 3, 7, 15, 31, 63 and 123 seconds.
        #expect(apple.keyRequestCount == 1 + 8)
        _ = try await signIn.verify(token(), expecting: expectation)
    }

    @Test func whoJoinsAnotherKeysRenewalLooksOnceMore() async throws {
        try apple.publish([TestKey.first.published()])
        let signIn = apple.signIn()
        _ = try await signIn.verify(token(), expecting: expectation)
        apple.time.advance(bySeconds: 3600)
        try answersSlowly([.first])
        _ = try await signIn.verify(token(), expecting: expectation)
        try await waitUntil("the renewal waits") { apple.time.sleeperCount == 2 }
        try apple.publish([TestKey.first.published(), TestKey.second.published()])
        let rotated = try token(keyID: TestKey.second.keyID, by: .second)
        let joined = Task.immediate { try await signIn.verify(rotated, expecting: expectation) }
        #expect(apple.keyRequestCount == 2)
        apple.time.advance(bySeconds: 2)
        _ = try await joined.value
        #expect(apple.keyRequestCount == 3)
    }

    @Test func whoJoinsAJunkTokensLookUpLooksOnceMore() async throws {
        try answersSlowly([.first])
        let signIn = apple.signIn()
        let junk = try token(keyID: "junk")
        let rotated = try token(keyID: TestKey.second.keyID, by: .second)
        let first = Task.immediate { try await signIn.verify(junk, expecting: expectation) }
        let second = Task.immediate { try await signIn.verify(rotated, expecting: expectation) }
        try await waitUntil("the look-up waits") { apple.time.sleeperCount == 2 }
        apple.time.advance(bySeconds: 2)
        await expectRefusal(.tokenUnknownKey) { try await first.value }
        try await waitUntil("the second look-up waits") { apple.keyRequestCount == 2 }
        try await waitUntil("the second look-up waits") { apple.time.sleeperCount == 2 }
        apple.time.advance(bySeconds: 2)
        await expectRefusal(.tokenUnknownKey) { try await second.value }
        #expect(apple.keyRequestCount == 2)
    }
}
