import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import SignInWithApple
import Testing

@Suite("An Apple for tests")
struct LibraryTests {
    @Test("The web flow goes from the page to the grant")
    func web() async throws {
        try await withAppleEmulator { apple in
            let signIn = try apple.signIn()
            let url = signIn.authorizationURL(
                clientID: "com.example.juice.web",
                redirectURI: Box.callback,
                scopes: [.name, .email],
                state: "state",
                nonce: "nonce"
            )
            let callback = try await apple.authorize(url, hidesEmail: true)
            #expect(callback["state"] == "state")
            let grant = try await signIn.redeem(
                code: callback["code"] ?? "",
                clientID: "com.example.juice.web",
                redirectURI: Box.callback
            )
            #expect(grant.identity.isPrivateEmail)
            let refreshToken = try #require(grant.refreshToken)
            _ = try await signIn.refresh(refreshToken, clientID: "com.example.juice.web")
            try await signIn.revoke(refreshToken, clientID: "com.example.juice.web")
            await #expect(throws: SignInError.self) {
                try await signIn.refresh(refreshToken, clientID: "com.example.juice.web")
            }
        }
    }

    @Test("A device's token is verified")
    func native() async throws {
        try await withAppleEmulator { apple in
            let credential = try await apple.credentials(nonce: "raw")
            #expect(credential.fullName?.givenName == "Maya")
            let identity = try await apple.signIn().verify(
                credential.identityToken,
                expecting: IdentityTokenExpectation(
                    nonce: .raw("raw"),
                    authorizationCode: credential.authorizationCode
                )
            )
            #expect(identity.user == credential.user)
            #expect(identity.realUserStatus == .likelyReal)
        }
    }
}
