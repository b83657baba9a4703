import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

/// The statements of docs/how-to/operations.md about a wrong clock.
@Suite("Two servers on one database, whose clocks are ten minutes off in opposite directions")
struct ClockSkewTests {
    private let day: TimeInterval = 86_400

    @Test("accept Apple's tokens at the one that is ahead, once for both")
    func tokens() async throws {
        try await SkewedServers.with { fast, slow in
            let credential = try await fast.apple.credentials()
            let early = try await slow.signIn(identityToken: credential.identityToken)
            #expect(early.status == .unauthorized, "issued in the future of the slow one")
            let taken = try await fast.signIn(identityToken: credential.identityToken)
            #expect(taken.status == .created, "\(taken.text)")
            for server in [fast, slow] {
                let again = try await server.signIn(identityToken: credential.identityToken)
                #expect(again.status == .unauthorized)
            }
        }
    }

    @Test("accept a nonce of the slow one in time only, and never twice")
    func nonces() async throws {
        try await SkewedServers.with { fast, slow in
            for (giver, code) in [(slow, "nonce_expired"), (fast, nil)] {
                let given = try await giver.send(.post, "/api/nonces")
                let nonce = try #require(given.json?["nonce"]?.stringValue)
                var body: JSONObject = ["nonce": .string(nonce)]
                for expected in [code, "nonce_used"] {
                    let credential = try await fast.apple.credentials(nonce: nonce)
                    body["identityToken"] = .string(credential.identityToken)
                    let answer = try await fast.postJSON("/api/sessions/apple", body)
                    #expect(answer.code == (code ?? expected), "\(answer.text)")
                }
            }
        }
    }

    @Test(
        "share sessions, which are revoked at both at once, and expire at most twenty minutes apart"
    )
    func sessions() async throws {
        try await SkewedServers.with { fast, slow in
            let first = try await fast.tokenOfNewAccount()
            let answer = try await slow.signIn("maya")
            let second = try #require(answer.json?["token"]?.stringValue, "\(answer.text)")
            for (server, token) in [(fast, first), (fast, second), (slow, first), (slow, second)] {
                #expect(try await status(server, token) == 200)
            }
            let end = try await slow.send(.delete, "/api/sessions/current", .bearer(first))
            #expect(end.status == .noContent)
            for server in [fast, slow] { #expect(try await status(server, first) == 401) }
            fast.apple.time.advance(bySeconds: 60 * day - 2 * SkewedServers.skew - 60)
            #expect(try await status(fast, second) == 200)
            fast.apple.time.advance(bySeconds: 60 * day + 2 * SkewedServers.skew + 60)
            for server in [fast, slow] { #expect(try await status(server, second) == 401) }
        }
    }

    @Test("slow down guesses together, and do not delay other users")
    func guesses() async throws {
        try await SkewedServers.with { fast, slow in
            _ = try await fast.tokenOfNewAccount()
            for server in [fast, slow, fast, slow] {
                #expect(try await server.signIn("maya").status == .created)
            }
            var statuses: [Int] = []
            for number in 0..<60 {
                let server = [fast, slow][number % 2]
                statuses.append(try await server.signIn("maya", "wrong guess").status.code)
            }
            #expect(statuses.filter { $0 == 401 }.count <= 6, "\(statuses)")
            #expect(statuses.suffix(50).allSatisfy { $0 == 429 }, "\(statuses)")
            // The server that is behind also waits for the other's clock.
            fast.apple.time.advance(bySeconds: 2 * SkewedServers.skew + 60)
            for server in [fast, slow] {
                #expect(try await server.signIn("maya").status == .created)
            }
        }
    }

    private func status(_ server: TestServer, _ token: String) async throws -> Int {
        try await server.get("/api/account", token).status.code
    }
}
