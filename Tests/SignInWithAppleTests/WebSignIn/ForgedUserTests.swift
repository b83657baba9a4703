import AppleEmulatorTesting
import AppleIdentity
import Foundation
import SignInWithApple
import Testing

/// A browser's data about the user is only a suggestion, next to the verified token.
@Suite struct ForgedUserTests {
    @Test func addressComesFromTheTokenAlone() async throws {
        try await withAppleEmulator { apple in
            let credential = try await apple.credentials()
            let form =
                "state=s&code=\(credential.authorizationCode)&id_token=\(credential.identityToken)"
                + "&user=%7B%22email%22:%22victim%40example.com%22,%22email_verified%22:true,"
                + "%22name%22:%7B%22firstName%22:%22Eve%22%7D%7D"
            let callback = try AuthorizationCallback(formBody: Data(form.utf8))
            #expect(callback.user?.email == "victim@example.com")

            let token = try #require(callback.identityToken)
            let identity = try await apple.signIn().verify(
                token,
                expecting: .init(nonce: .absent, authorizationCode: callback.code)
            )
            #expect(identity.email == "maya@example.com")
            #expect(identity.userID == credential.user)
        }
    }
}
