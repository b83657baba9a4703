import AppleIdentity
import Foundation
import SignInWithApple
import TestSupport
import Testing

/// A cancelled caller gets `CancellationError`, and not an error about Apple.
@Suite struct CancellationTests {
    private let apple = ScriptedApple()

    /// Two sleep while a request is under way: Apple, and the limit of time.
    private func expectCancellation<Value: Sendable>(
        _ call: @escaping @Sendable (AppleSignIn) async throws -> Value
    ) async throws {
        let signIn = apple.signIn(key: try TestSecretKey().key())
        let task = Task { try await call(signIn) }
        try await waitUntil("Apple is asked") { apple.time.sleeperCount == 2 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func whileATokenIsAsked() async throws {
        apple.answer(ApplePath.token, after: .seconds(3600))
        apple.answer(ApplePath.revoke, after: .seconds(3600))
        let client = TokenDraft.clientID
        try await expectCancellation { try await $0.exchange(code: "c.1", clientID: client) }
        try await expectCancellation { try await $0.refresh("r.1", clientID: client) }
        try await expectCancellation {
            try await $0.validate("r.1", clientID: client, nextCheck: nil)
        }
        try await expectCancellation { try await $0.revoke("r.1", clientID: client) }
        try await expectCancellation {
            try await $0.migration(of: client).transferIdentifier(for: "u", to: "TEAM000001")
        }
    }

    @Test func whileKeysAreFetchedForOthersToo() async throws {
        apple.answer(ApplePath.keys, after: .seconds(3600))
        let token = try TokenDraft(at: apple.time.now).signed()
        try await expectCancellation { try await $0.verify(token) }
        #expect(apple.time.sleeperCount == 2, "the fetch goes on")
    }

    @Test func nothingIsSentForSomebodyWhoHasGivenUp() async throws {
        let signIn = apple.signIn(key: try TestSecretKey().key())
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await signIn.exchange(code: "c.1", clientID: TokenDraft.clientID)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(apple.asked(ApplePath.token).isEmpty)
    }

    @Test func aCodeWhoseSenderGaveUpMayBeSpent() async throws {
        apple.answer(ApplePath.token, after: .seconds(3600))
        let signIn = apple.signIn(key: try TestSecretKey().key())
        let task = Task { try await signIn.exchange(code: "c.1", clientID: TokenDraft.clientID) }
        try await waitUntil("Apple is asked") { apple.time.sleeperCount == 2 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        apple.answer(ApplePath.token, status: 400, #"{"error":"invalid_grant"}"#)
        let error = await expectRefusal(.appleRefusedGrant) {
            try await signIn.exchange(code: "c.1", clientID: TokenDraft.clientID)
        }
        #expect(error?.causes.first?.code == .codeAnswerLost)
    }
}
