import Foundation
import HummingbirdTesting
import SignInKit
import SimulatedAuthenticationServices
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@MainActor func rename(_ session: SignInSession, to name: PersonName) async {
    await session.perform { try await $0.rename(to: name) }
}

func recipes(_ session: SignInSession, from url: URL) async throws -> Data {
    try await session.data(for: URLRequest(url: url), audience: "https://api.example.com").0
}

func finish(_ token: String, code: String, nonce: String, with client: SignInClient) async throws {
    _ = try await client.signIn(
        identityToken: token,
        authorizationCode: code,
        fullName: PersonName(givenName: "Maya", familyName: "Lindgren"),
        nonce: nonce
    )
}

@MainActor func debugSession() -> SignInSession {
    SignInSession(
        server: "http://localhost:8080",
        authorization: EmulatorAuthorization(app: "com.example.juice") ?? SystemAuthorization(),
        credentials: FileCredentialStore(
            folder: .homeDirectory.appending(path: "Library/SignInKit")
        )
    )
}

@MainActor @Suite("The examples of the article") struct GettingStartedExample {
    @Test("They rename the user, and a service's token gives no access to the account")
    func session() async throws {
        try await withApp(over: .live) { world in
            let port = try #require(world.transport.port)
            let session = await SignInSession(client: try world.launch())
            world.device.script(.continue())
            await session.signInWithApple()
            await rename(session, to: PersonName(givenName: "Mimi"))
            #expect(await session.person?.account.name == "Mimi")
            let account = try #require(URL(string: "http://127.0.0.1:\(port)/api/account"))
            let answer = try await recipes(session, from: account)
            #expect(String(decoding: answer, as: UTF8.self).contains("session_invalid"))
        }
    }

    @Test("A bridge's credential without its token is refused")
    func bridge() async throws {
        try await withApp { world in
            let client = try world.launch()
            let refusal = try await kind {
                try await finish("no token", code: "c", nonce: "n", with: client)
            }
            #expect(refusal == .invalidResponse)
        }
    }
}
