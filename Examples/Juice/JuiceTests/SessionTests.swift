import Foundation
import SignInKit
import Testing

/// Sign-ins without a user interface, against the server and the emulator of `make run`.
@MainActor @Suite(.serialized) struct SessionTests {
    private func session(_ choice: EmulatedChoice) throws -> SignInSession {
        let control = try #require(URL(string: "http://127.0.0.1:8082"))
        return SignInSession(
            server: "http://localhost:8080",
            authorization: EmulatorAuthorization(
                control: control,
                app: "com.example.juice",
                email: "noah@example.com",
                choice: choice
            ),
            credentials: MemoryCredentialStore()
        )
    }

    @Test func aUserHidesTheEmailAddressAndDeletesTheAccount() async throws {
        let session = try session(EmulatedChoice(hidesEmail: true))
        await session.start()
        await session.signInWithApple()
        #expect(session.person?.account.emailIsPrivateRelay == true)
        await session.deleteAccount()
        #expect(session.person == nil)
        #expect(session.error == nil)
    }

    @Test func aUserWhoCancelsStaysSignedOut() async throws {
        let session = try session(EmulatedChoice(cancels: true))
        await session.start()
        await session.signInWithApple()
        #expect(session.person == nil)
        #expect(session.error == nil)
    }
}
