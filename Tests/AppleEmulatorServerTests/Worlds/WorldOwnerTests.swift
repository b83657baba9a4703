import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulatorServer

@Suite("Worlds at Apple's port", .timeLimit(.minutes(2))) struct WorldOwnerTests {
    private let harness: WorldHarness

    init() async throws {
        harness = try await WorldHarness()
        try await harness.make("a", "b")
    }

    @Test("The path alone names the world of a request", arguments: ["a", "b", nil])
    func path(world: String?) async throws {
        let code = try await harness.credential(in: world)["authorization_code"]?.stringValue
        let form = [
            "grant_type": "authorization_code", "code": try #require(code),
            "client_id": WorldHarness.app,
        ]
        for path in ["/auth/token", "/auth/revoke"] {
            _ = await harness.apple(.post, WorldHarness.path(of: world) + path, form: form)
        }
        for other in ["a", "b", nil] {
            let paths = try await harness.paths(in: other)
            #expect(paths == (other == world ? ["/auth/token", "/auth/revoke"] : []))
        }
    }

    @Test("Rotated keys, a fault and the issuer of a world are its own") func documents()
        async throws
    {
        let shared = try await Self.keyIDs(harness, "/auth/keys")
        #expect(try await Self.keyIDs(harness, "/w/a/auth/keys") == shared)
        try await harness.post("/signing-keys/rotate", ["keep_old": false], in: "a")
        try await harness.post("/faults", ["endpoint": "discovery", "status": 503], in: "a")
        let own = try await Self.keyIDs(harness, "/w/a/auth/keys")
        #expect(own.isDisjoint(with: shared) && own.count == 3)
        #expect(try await Self.keyIDs(harness, "/w/b/auth/keys") == shared)
        #expect(try await Self.keyIDs(harness, "/auth/keys") == shared)
        let path = "/.well-known/openid-configuration"
        #expect(await harness.apple(.get, "/w/a" + path).response.status == .serviceUnavailable)
        _ = try await harness.control.send(.patch, "/w/b/switches", #"{"discovery":"moved"}"#)
        let moved = await harness.apple(.get, "/w/b" + path, authority: "appleid.test")
        #expect(moved.response.headerFields[.location] == "http://account.test/w/b" + path)
        _ = try await harness.control.send(
            .patch,
            "/w/b/switches",
            #"{"discovery":"usual","issuer":"https://b.test"}"#
        )
        for (prefix, issuer) in [("/w/b", "https://b.test"), ("", "https://appleid.apple.com")] {
            let answer = await harness.apple(.get, prefix + path)
            let document = try JSONObject(parsing: answer.body)
            #expect(document["issuer"]?.stringValue == issuer)
            for (name, place) in [
                ("authorization_endpoint", "authorize"), ("token_endpoint", "token"),
                ("revocation_endpoint", "revoke"), ("jwks_uri", "keys"),
            ] {
                let url = "http://127.0.0.1:8081\(prefix)/auth/\(place)"
                #expect(document[name]?.stringValue == url)
            }
        }
    }

    @Test("Pages, forms, redirects and cookies stay in their world") func pages() async throws {
        let page = await harness.apple(.get, "/w/a" + WorldHarness.sheet)
        #expect(page.response.status == .ok)
        let cookie = try #require(page.response.headerFields[.setCookie])
        #expect(cookie.hasPrefix("emulated-apple-browser-8081-a="))
        #expect(cookie.contains("; Path=/w/a; "))
        let text = String(decoding: page.body, as: UTF8.self)
        #expect(text.contains(#"action="/w/a/auth/authorize/sheet""#))
        let transaction = try #require(text.firstMatch(of: /name="transaction" value="([^"]+)"/)?.1)
        let form = ["transaction": String(transaction), "action": "cancel"]
        let fields: HTTPFields = [.cookie: String(cookie.prefix { $0 != ";" })]
        let path = "/auth/authorize/sheet"
        // The unnamed world neither knows the sign-in nor reads the cookie.
        #expect(
            await harness.apple(.post, path, form: form, fields: fields).response.status
                == .badRequest
        )
        let answer = await harness.apple(.post, "/w/a" + path, form: form, fields: fields)
        #expect(answer.response.status == .ok)
        #expect(try await harness.paths(in: "a") == ["/auth/authorize", path])
        let account = await harness.apple(.get, "/w/a/account/delete")
        #expect(account.response.headerFields[.location] == "/w/a/account")
    }

    @Test("Apple's start page leads to the console of its world", arguments: [nil, "a"])
    func console(world: String?) async throws {
        for path in world == nil ? ["/"] : ["/w/a", "/w/a/"] {
            let answer = await harness.apple(.get, path)
            let page = String(decoding: answer.body, as: UTF8.self)
            let address = "http://127.0.0.1:8082" + WorldHarness.path(of: world)
            #expect(page.contains("href=\"\(address)\""), "\(path)")
            #expect(page.contains("href=\"\(WorldHarness.path(of: world))/account\""))
        }
    }

    @Test("An unregistered client leads to the form of its world's console")
    func registration() async throws {
        let sheet = WorldHarness.sheet.replacing("juice.web", with: "other")
        let answer = await harness.apple(.get, "/w/a" + sheet)
        let page = String(decoding: answer.body, as: UTF8.self)
        #expect(page.contains(#"href="http://127.0.0.1:8082/w/a/console/apps?"#))
    }

    @Test("A missing world is refused with the remedy", arguments: ["c", "", "a b", "%61", ".."])
    func missing(name: String) async throws {
        let answer = await harness.apple(.get, "/w/\(name)/auth/keys")
        #expect(answer.response.status == .notFound)
        let request = try await harness.ask("/requests", in: nil)["requests"]?.arrayValue?.last
        #expect(request?.objectValue?["hint"]?.stringValue?.contains("POST /worlds") == true)
        let control = try await harness.control.send(.get, "/w/c/state")
        #expect(control.status == .notFound && control.text.contains("POST /worlds"))
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
                let world = try await emulator.makeWorld(try #require(WorldName(name)))
                let credential = try await world.credentials(
                    for: WorldHarness.person,
                    ["client_id": .string(WorldHarness.app)]
                )
                users[name, default: []].insert(try #require(credential["user"]?.stringValue))
            }
        }
        #expect(users["a"]?.count == 1 && users["b"]?.count == 1 && users["a"] != users["b"])
    }

    @Test("Mail goes to the world of the relay address, or of the SMTP user") func mail()
        async throws
    {
        let asked: JSONObject = ["scopes": ["email"], "email": "hide"]
        let credential = try await harness.credential(in: "a", asked)
        let relay = try #require(credential["email"]?.stringValue.flatMap { MailAddress($0) })
        let real = try #require(MailAddress(WorldHarness.person))
        let (a, b) = (try harness.world("a"), try harness.world("b"))
        #expect(await harness.worlds.recipient(relay, user: "b") === a)
        #expect(await harness.worlds.recipient(real, user: "b") === b)
        for user in ["localhost", "c", "[127.0.0.1]", ""] {
            #expect(await harness.worlds.recipient(real, user: user) === harness.worlds.unnamed)
        }
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
