import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import TestSupport
import Testing

@testable import SignInKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Requests to a service of the team") struct RequestTests {
    @Test("A request that gets 401 is sent once more, with another token")
    func renewal() async throws {
        try await withService(refusing: 1) { session, url, tokens in
            let (data, response) = try await session.data(
                for: URLRequest(url: url),
                audience: AppWorld.service
            )
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
            #expect(String(decoding: data, as: UTF8.self) == "juice")
            #expect(Set(tokens()).count == 2)
            _ = try await session.data(for: URLRequest(url: url), audience: AppWorld.service)
            #expect(tokens().count == 3 && Set(tokens()).count == 2)
        }
    }

    @Test("A second 401 is the response") func twice() async throws {
        try await withService(refusing: 9) { session, url, tokens in
            let (_, response) = try await session.data(
                for: URLRequest(url: url),
                audience: AppWorld.service
            )
            #expect((response as? HTTPURLResponse)?.statusCode == 401)
            #expect(tokens().count == 2)
        }
    }

    @Test("With the session's token, 401 asks the accounts server whether the session has ended")
    func ended() async throws {
        try await withService(refusing: 9) { session, url, tokens in
            try await session.client.endOtherSessions()
            let other = await session.client.sessionRecord
            _ = try await session.client.server.send(.signOut, token: other.current?.token)
            let refusal = try await kind { try await session.data(for: URLRequest(url: url)) }
            #expect(refusal == .notSignedIn)
            #expect(tokens().count == 1)
            #expect(await session.client.state == .signedOut(.ended))
        }
    }

    @Test("A redirect is the response, and gets no token") func redirect() async throws {
        try await withService(refusing: 0) { session, url, tokens in
            let moved = url.deletingLastPathComponent().appending(path: "moved")
            let (_, response) = try await session.data(
                for: URLRequest(url: moved),
                audience: AppWorld.service
            )
            #expect((response as? HTTPURLResponse)?.statusCode == 302)
            #expect(tokens().isEmpty)
        }
    }

    @Test("A token goes over https only") func insecure() async throws {
        try await withService(refusing: 0) { session, _, tokens in
            let url = try #require(URL(string: "http://api.example.com/recipes"))
            #expect(
                try await kind { try await session.data(for: URLRequest(url: url)) }
                    == .insecureServer
            )
            #expect(tokens().isEmpty)
        }
    }

    /// Runs a service that refuses the first requests, and a signed-in session.
    private func withService(
        refusing refusalCount: Int,
        _ test: @escaping @Sendable (SignInSession, URL, () -> [String]) async throws -> Void
    ) async throws {
        let tokens = LockedValue<[String]>([])
        let router = Router()
        router.get("recipes") { request, _ in
            let count = tokens.withLock { tokens in
                tokens.append(request.headers[.authorization] ?? "")
                return tokens.count
            }
            guard count > refusalCount else { throw HTTPError(.unauthorized) }
            return "juice"
        }
        router.get("moved") { _, _ in Response.redirect(to: "/recipes", type: .found) }
        let application = Application(router: router)
        try await withApp { world in
            let client = try await world.launchSignedIn()
            let session = await SignInSession(client: client)
            try await application.test(.live) { service in
                let port = try #require(service.port)
                let url = try #require(URL(string: "http://127.0.0.1:\(port)/recipes"))
                try await test(session, url) { tokens.withLock(\.self) }
            }
        }
    }
}
