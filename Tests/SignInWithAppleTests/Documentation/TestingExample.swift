import AppleEmulatorTesting
import SignInWithApple
import Testing

/// The code of the page about testing; the tidy tests compare the two.
@Suite struct TestingExample {
    @Test func mayaSignsInAndLater() async throws {
        try await withAppleEmulator { apple in
            let signIn = try apple.signIn()
            let credential = try await apple.credentials(for: "maya@example.com", nonce: "n1")
            let identity = try await signIn.verify(
                credential.identityToken,
                expecting: .init(nonce: .raw("n1"))
            )
            #expect(identity.email == "maya@example.com")

            apple.advance(by: .seconds(2 * 86_400))
            await #expect(throws: SignInError.self) {
                try await signIn.verify(
                    credential.identityToken,
                    expecting: .init(nonce: .raw("n1"))
                )
            }
        }
    }
}
