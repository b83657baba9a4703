import AppleIdentity
import Foundation
import Hummingbird
import HummingbirdTesting
import SimulatedAuthenticationServices
import TestSupport
import Testing

@testable import SignInKit

@Suite("Requests over HTTP") struct URLSessionTransportTests {
    /// Runs a test with a server on a port.
    private func withServer(
        _ routes: (Router<BasicRequestContext>) -> Void,
        _ body: @escaping @Sendable (String) async throws -> Void
    ) async throws {
        let router = Router()
        routes(router)
        try await Application(router: router).test(.live) { client in
            try await body("http://127.0.0.1:\(try #require(client.port))")
        }
    }

    private func send(_ address: String) async throws -> ServerAnswer {
        let url = try #require(URL(string: address))
        return try await URLSessionTransport().send(ServerRequest(method: "GET", url: url))
    }

    @Test("A person signs in and out over HTTP") func signIn() async throws {
        try await withApp(over: .live) { world in
            let port = try #require(world.transport.port)
            let client = try world.launch(
                server: "http://127.0.0.1:\(port)",
                transport: URLSessionTransport()
            )
            await client.start()
            world.device.script(.continue())
            let person = try await client.signInWithApple()
            #expect(person.account.name == "Maya Lindgren")
            #expect(try await client.refreshAccount() == person)
            #expect(try await client.rename(to: "Maya").account.name == "Maya")
            await client.signOut()
            #expect(await client.state == .signedOut(.byUser))
            try await waitUntil {
                try await world.counts() == Counts(accounts: 1, sessions: 0)
            }
        }
    }

    @Test("A redirect is an answer") func redirect() async throws {
        try await withServer {
            $0.get("/here") { _, _ in Response.redirect(to: "/there") }
            $0.get("/there") { _, _ in "followed" }
        } _: { server in
            let answer = try await send(server + "/here")
            #expect((300..<400).contains(answer.status))
            #expect(!String(decoding: answer.body, as: UTF8.self).contains("followed"))
        }
    }

    @Test("An answer has a largest size") func size() async throws {
        try await withServer {
            $0.get("/large") { _, _ in String(repeating: "a", count: 1024 * 1024 + 1) }
            $0.get("/most") { _, _ in String(repeating: "a", count: 1024 * 1024) }
        } _: { server in
            let most = try await send(server + "/most")
            #expect(most.body.count == 1024 * 1024)
            await #expect(throws: TransportFailure.tooLarge) { try await send(server + "/large") }
        }
    }

    @Test("Where nobody listens, nothing is reached") func nobody() async throws {
        await #expect {
            try await send("http://127.0.0.1:9/")
        } throws: {
            guard case .unreachable? = $0 as? TransportFailure else { return false }
            return true
        }
    }
}
