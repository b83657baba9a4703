import AppleEmulatorTesting
import AppleIdentity
import Foundation
import SignInWithApple
import Testing

/// A server of its own uses the name of a rejected callback.
@Suite struct SuggestedNameTests {
    private static let web: ClientID = "com.example.juice.web"
    private static let redirectURI = "https://juice.example.com/sign-in/apple/callback"

    private func callback(
        _ apple: TestApple,
        as email: String = "maya@example.com"
    ) async throws -> (AuthorizationCallback, PendingWebSignIn) {
        let start = try apple.signIn()
            .beginWebSignIn(clientID: Self.web, redirectURI: Self.redirectURI)
        let posted = try await apple.authorize(start.authorizationURL, as: email)
        return (try AuthorizationCallback(formBody: posted.formBody), start.pending)
    }

    @Test func nameOfALateCallbackIsForTheSamePerson() async throws {
        try await withAppleEmulator { apple in
            let (late, pending) = try await callback(apple)
            apple.time.advance(bySeconds: 601)
            let signIn = try apple.signIn()
            await expectRefusal(.stateExpired) {
                try await signIn.finishWebSignIn(late, pending: pending)
            }
            let suggestion = try #require(SuggestedName(late, pending: pending))
            let (next, nextPending) = try await callback(apple)
            #expect(SuggestedName(next, pending: nextPending) == nil)
            let finished = try await signIn.finishWebSignIn(next, pending: nextPending)
            let identity = try #require(finished?.identity)
            #expect(suggestion.name(for: identity)?.displayName == "Maya Lindgren")
            let (noahs, noahsPending) = try await callback(apple, as: "noah@example.com")
            let noah = try await signIn.finishWebSignIn(noahs, pending: noahsPending)
            #expect(suggestion.name(for: try #require(noah?.identity)) == nil)
        }
    }

    @Test func callbackOfAnotherBrowserSuggestsNothing() async throws {
        try await withAppleEmulator { apple in
            let (posted, _) = try await callback(apple)
            let (_, other) = try await callback(apple)
            #expect(SuggestedName(posted, pending: other) == nil)
        }
    }
}
