import Foundation
import HummingbirdTesting
import SignInKit
import SimulatedAuthenticationServices
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@MainActor final class SignInModel {
    private(set) var state = SignInState.signedOut
    private let client: SignInClient

    init(server: URL, credentials: any CredentialStore) {
        client = SignInClient(
            configuration: SignInConfiguration(server: server),
            authorization: SystemAuthorization(),
            credentials: credentials,
            transport: URLSessionTransport()
        )
    }

    func run() async {
        let states = client.states
        await client.start()
        for await state in states { self.state = state }
    }

    func signIn() async throws {
        _ = try await client.signInWithApple()
    }
}

func authorized(_ request: URLRequest, by client: SignInClient) async throws -> URLRequest {
    var request = request
    request.setValue("Bearer " + (try await client.token()), forHTTPHeaderField: "Authorization")
    return request
}

@Suite("The example of the article") struct GettingStartedExample {
    @Test("It leads to a signed-in person") @MainActor func signsIn() async throws {
        try await withApp(over: .live) { world in
            let port = try #require(world.transport.port)
            let server = try #require(URL(string: "http://127.0.0.1:\(port)"))
            let model = await SignInModel(server: server, credentials: world.credentials)
            let running = Task { await model.run() }
            world.device.script(.continue())
            try await model.signIn()
            try await waitUntil { await model.state.name != nil }
            #expect(await model.state.name == "Maya Lindgren")
            running.cancel()
            let client = try world.launch()
            let request = try await authorized(URLRequest(url: server), by: client)
            #expect(
                request.value(forHTTPHeaderField: "Authorization")?.hasPrefix("Bearer ") == true
            )
        }
    }
}

extension SignInState {
    fileprivate var name: String? {
        guard case .signedIn(let person) = self else { return nil }
        return person.account.name
    }
}
