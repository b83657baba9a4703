import AppleIdentity
import Foundation
import TestSupport
import Testing

@testable import SignInWithApple

@Suite struct UnknownKeyTests {
    private let apple = ScriptedApple()
    private let signIn: AppleSignIn

    init() { signIn = apple.signIn() }

    private func token(keyID: String? = nil, by key: TestKey = .first) throws -> String {
        try apple.token(keyID: keyID, by: key)
    }

    private func answersSlowly() throws {
        let keys = try ScriptedApple.document([TestKey.first.published()])
        apple.answer(ApplePath.keys, after: .seconds(2), keys)
    }

    @Test func aJunkTokenKeepsNobodyOutAfterARotation() async throws {
        try apple.publish([TestKey.first.published()])
        await expectRefusal(.tokenUnknownKey) { try await signIn.verify(token(keyID: "junk")) }
        try apple.publish([TestKey.first.published(), TestKey.second.published()])
        try await signIn.verify(token(by: .second))
        #expect(apple.keyRequestCount == 2)
    }

    @Test func afterManyJunkTokensARotatedKeyIsFoundTwelveSecondsLater() async throws {
        try apple.publish([TestKey.first.published()])
        try await signIn.verify(token())
        for number in 0..<KeyFetchBudget.maximumCount {
            await expectRefusal(.tokenUnknownKey) {
                try await signIn.verify(token(keyID: "junk-\(number)"))
            }
        }
        try apple.publish([TestKey.first.published(), TestKey.second.published()])
        let rotated = try token(by: .second)
        let error = await expectRefusal(.tokenKeyNotPublished) { try await signIn.verify(rotated) }
        #expect(error?.isRetryable == true)
        #expect(error?.retryAfter == .seconds(12))
        #expect(
            error?.message
                == "The identity token is signed with a key that Apple does not publish yet."
        )
        apple.time.advance(bySeconds: 12)
        try await signIn.verify(rotated)
    }

    @Test func aClockSetBackDoesNotPutTheNextLookOff() {
        var budget = KeyFetchBudget()
        let now = Date(timeIntervalSince1970: 1_769_000_000)
        let taken = (0...KeyFetchBudget.maximumCount).map { _ in budget.spend(at: now) }
        #expect(taken == [true, true, true, true, true, false])
        let earlier = now.addingTimeInterval(-86_400)
        let isTakenAtOnce = budget.spend(at: earlier)
        #expect(!isTakenAtOnce)
        let isTakenLater = budget.spend(
            at: earlier.addingTimeInterval(KeyFetchBudget.intervalSeconds)
        )
        #expect(isTakenLater)
    }

    @Test func floodIsHeldBackAlsoWhileTheEndpointFails() async throws {
        try apple.publish([TestKey.first.published()], cacheControl: "max-age=86400")
        try await signIn.verify(token())
        apple.answer(ApplePath.keys, status: 500, "")
        for second in 0..<180 {
            let junk = try token(keyID: "unknown-\(second)")
            let error = await expectRefusal(.appleKeysUnavailable) { try await signIn.verify(junk) }
            #expect((1...60).contains(error?.retryAfter?.wholeSeconds ?? 0))
            apple.time.advance(bySeconds: 1)
        }
        // After 0, 1, 3, 7, 15, 31, 63 and 123 seconds.
        #expect(apple.keyRequestCount == 1 + 8)
        try await signIn.verify(token())
    }

    @Test func whoJoinsAnotherKeysRenewalLooksOnceMore() async throws {
        try apple.publish([TestKey.first.published()])
        try await signIn.verify(token())
        apple.time.advance(bySeconds: 3600)
        try answersSlowly()
        try await signIn.verify(token())
        try await waitUntil("the renewal waits") { apple.time.sleeperCount == 2 }
        try apple.publish([TestKey.first.published(), TestKey.second.published()])
        let rotated = try token(by: .second)
        let joined = Task.immediate { try await signIn.verify(rotated) }
        #expect(apple.keyRequestCount == 2)
        apple.time.advance(bySeconds: 2)
        _ = try await joined.value
        #expect(apple.keyRequestCount == 3)
    }

    @Test func whoJoinsAJunkTokensLookUpLooksOnceMore() async throws {
        try answersSlowly()
        let junk = try token(keyID: "junk")
        let rotated = try token(by: .second)
        let first = Task.immediate { try await signIn.verify(junk) }
        let second = Task.immediate { try await signIn.verify(rotated) }
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
