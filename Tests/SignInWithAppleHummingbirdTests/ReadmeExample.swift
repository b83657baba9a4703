import AppleEmulatorTesting
import AppleIdentity
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import SignInWithApple
import SignInWithAppleHummingbird
import Testing

/// The code of the README; the tidy tests compare the two.
enum ReadmeExample {
    static func user(
        of apple: AppleSignIn,
        identityToken: String,
        code: String,
        nonce: String
    ) async throws -> (UserID, String?) {
        let grant = try await apple.signIn(
            identityToken: identityToken,
            code: code,
            nonce: .sha256(nonce)
        )
        return (grant.identity.userID, grant.refreshToken)
    }

    static func makeRouter(
        _ apple: AppleSignIn,
        publicURL: String,
        accounts: Accounts
    ) throws -> Router<BasicRequestContext> {
        let router = Router()
        let web = WebFlow(redirectURI: publicURL + "/auth/apple/callback")
        try router.signInWithApple(apple, web: web, native: NativeEndpoint()) { signIn, _ in
            .session(await accounts.open(signIn))
        }
        return router
    }
}

@Suite("The README's code") struct ReadmeExampleTests {
    @Test("signs in an app's user and a browser's")
    func bothWays() async throws {
        try await withAppleEmulator { apple in
            let library = try apple.signIn()
            // The SHA-256 of "hello".
            let hash = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
            let credential = try await apple.credentials(nonce: hash)
            let (user, refreshToken) = try await ReadmeExample.user(
                of: library,
                identityToken: credential.identityToken,
                code: credential.authorizationCode,
                nonce: "hello"
            )
            #expect(user == credential.user && refreshToken != nil)

            let router = try ReadmeExample.makeRouter(
                library,
                publicURL: "https://juice.example.com",
                accounts: Accounts()
            )
            try await Application(router: router).test(.router) { client in
                let world = HelloWorld(apple: apple, client: client)
                let another = try await apple.credentials()
                let answer = try await world.signIn(HelloWorld.request(another))
                #expect(answer.status == .created)
                let begun = try await world.get("/auth/apple")
                #expect(begun.status == .seeOther)
                let location = try #require(begun.headers[.location])
                #expect(location.contains("client_id=com.example.juice.web"))
            }
        }
    }
}
