import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulatorServer

// Fidelity: keys-20
@Suite("Worlds at Apple's port", .timeLimit(.minutes(2))) struct WorldOwnerTests {
    private let harness: WorldHarness

    init() async throws { harness = try await WorldHarness() }

    private static let sheet =
        "/auth/authorize?client_id=com.example.juice.web&response_type=code"
        + "&response_mode=form_post&scope=email&redirect_uri=" + WorldHarness.callback

    @Test("A code leads to its world from any client") func code() async throws {
        for world in ["a", "b", nil] {
            let code = try await harness.code(in: world)
            _ = await harness.apple(
                .post,
                "/auth/token",
                form: [
                    "grant_type": "authorization_code", "code": code, "client_id": WorldHarness.app,
                ]
            )
            #expect(try await harness.paths(in: world) == ["/auth/token"])
        }
    }

    @Test("A revoked token still leads to its world", arguments: ["token", "refresh_token"])
    func endedToken(name: String) async throws {
        let code = try await harness.code(in: "a")
        try await harness.post("/reset", [:], in: "a")
        _ = await harness.apple(.post, "/auth/revoke", form: [name: code])
        #expect(try await harness.paths(in: "a") == ["/auth/revoke"])
        #expect(try await harness.paths(in: nil).isEmpty)
    }

    @Test("A form of the sheet leads to the world where the sign-in began")
    func transaction() async throws {
        let page = await harness.apple(.get, Self.sheet + "&siwa_world=a")
        #expect(page.response.status == .ok)
        let cookies = page.response.headerFields[values: .setCookie]
        #expect(cookies.contains { $0.hasPrefix("siwa-world=a;") })
        let text = String(decoding: page.body, as: UTF8.self)
        let transaction = try #require(text.firstMatch(of: /name="transaction" value="([^"]+)"/)?.1)
        _ = await harness.apple(
            .post,
            "/auth/authorize/sheet",
            form: ["transaction": String(transaction), "action": "cancel"]
        )
        #expect(try await harness.paths(in: "a") == ["/auth/authorize", "/auth/authorize/sheet"])
        #expect(try await harness.paths(in: nil).isEmpty)
    }

    @Test("A browser that was in a world opens sheets there") func cookie() async throws {
        _ = try await harness.ask("/state", in: "a")
        for (cookie, world) in [("siwa-world=a", "a"), ("siwa-world=gone", nil)] {
            let page = await harness.apple(.get, Self.sheet, fields: [.cookie: cookie])
            #expect(page.response.status == .ok)
            #expect(try await harness.paths(in: world) == ["/auth/authorize"])
        }
    }

    @Test("A client that only one world has registered leads there") func client() async throws {
        for world in ["a", "b"] {
            try await harness.post(
                "/services",
                [
                    "client_id": .string("com.example.\(world)"),
                    "primary_client_id": .string(WorldHarness.app),
                    "return_urls": [.string(WorldHarness.callback)],
                ],
                in: world
            )
            let client = "com.example.\(world)"
            let page = await harness.apple(
                .get,
                Self.sheet.replacing("com.example.juice.web", with: client)
            )
            #expect(page.response.status == .ok)
            #expect(try await harness.paths(in: world) == ["/auth/authorize"])
        }
        _ = await harness.apple(.get, Self.sheet)
        #expect(try await harness.paths(in: nil) == ["/auth/authorize"])
    }

    @Test("The keys of all worlds are published for requests without a world") func keys()
        async throws
    {
        let shared = try await Self.keyIDs(harness, "/auth/keys")
        _ = try await harness.ask("/state", in: "b")
        try await harness.post("/signing-keys/rotate", [:], in: "a")
        let own = try await Self.keyIDs(harness, "/auth/keys?siwa_world=a")
        #expect(own.isDisjoint(with: shared) && own.count == 3)
        #expect(try await Self.keyIDs(harness, "/auth/keys") == shared.union(own))
        #expect(try await Self.keyIDs(harness, "/auth/keys?siwa_world=b") == shared)
        _ = try await harness.control.send(.delete, "/worlds/a")
        #expect(try await Self.keyIDs(harness, "/auth/keys") == shared)
    }

    @Test("People have other identifiers in each world, the same at each run")
    func identifiers() async throws {
        let emulator = try AppleEmulator(
            seed: .demo(),
            configuration: EmulatorConfiguration(identifierKey: Data(repeating: 7, count: 32)),
            time: .live,
            signingKeys: try await signingKeys.value
        )
        var users: [String: Set<String>] = [:]
        for _ in 1...2 {
            for name in ["a", "b"] {
                let world = try await emulator.makeWorld(name, tag: .random())
                let credential = try await world.credentials(
                    for: WorldHarness.person,
                    ["client_id": .string(WorldHarness.app)]
                )
                users[name, default: []].insert(try #require(credential["user"]?.stringValue))
            }
        }
        #expect(users["a"]?.count == 1 && users["b"]?.count == 1 && users["a"] != users["b"])
    }

    @Test("Mail goes to the world of the relay address, or that the greeting names")
    func mail() async throws {
        let asked: JSONObject = ["scopes": ["email"], "email": "hide"]
        let credential = try await harness.credential(in: "a", asked)
        let relay = try #require(credential["email"]?.stringValue.flatMap { MailAddress($0) })
        let real = try #require(MailAddress(WorldHarness.person))
        _ = try await harness.ask("/state", in: "b")
        let (a, b) = (try await harness.emulator("a"), try await harness.emulator("b"))
        let unnamed = harness.worlds.unnamed
        #expect(await harness.worlds.recipient(relay, greeting: "b") === a)
        #expect(await harness.worlds.recipient(real, greeting: "b") === b)
        for greeting in ["localhost", "c", "[127.0.0.1]", ""] {
            #expect(await harness.worlds.recipient(real, greeting: greeting) === unnamed)
        }
        let connection = SMTPConnection(
            worlds: harness.worlds,
            maximumByteCount: SMTPConnection.maximumByteCount,
            memory: SMTPMemory()
        )
        let reply = await connection.deliver(
            MailEnvelope(clientName: "b", sender: nil, recipients: [relay, real, real]),
            Data("Subject: a\r\n\r\nb\r\n".utf8)
        )
        #expect(reply.code == 250)
        let inbox = try await harness.ask("/mail", in: "b")["messages"]?.arrayValue
        #expect(inbox?.count == 1)
        // The relay takes mail from registered sources alone.
        let bounces = try await harness.ask("/mail", in: "a")["bounces"]?.arrayValue
        #expect(bounces?.count == 1)
        #expect(try await harness.ask("/mail", in: nil)["messages"] == [])
    }

    private static func keyIDs(
        _ harness: WorldHarness,
        _ path: String
    ) async throws -> Set<String> {
        let answer = await harness.apple(.get, path)
        let object = try JSONObject(parsing: answer.body)
        return Set(
            (object["keys"]?.arrayValue ?? []).compactMap { $0.objectValue?["kid"]?.stringValue }
        )
    }
}
