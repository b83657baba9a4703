import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulatorServer

// Fidelity: redirect-4, keys-20
@Suite("Worlds at the control port", .timeLimit(.minutes(2))) struct WorldTests {
    private let harness: WorldHarness

    init() async throws { harness = try await WorldHarness() }

    @Test("Apple's start page leads to the console of its world") func console() async throws {
        for (path, address) in [
            ("/", "http://127.0.0.1:8082"),
            ("/?siwa_world=a", "http://127.0.0.1:8082?siwa_world=a"),
        ] {
            let answer = await harness.apple(.get, path)
            let page = String(decoding: answer.body, as: UTF8.self)
            #expect(page.contains("href=\"\(address)\""), "\(path)")
        }
    }

    @Test("A world starts from the seed and changes independently") func apart() async throws {
        let seeded = try await harness.ask("/state", in: nil)
        let first = try await harness.ask("/state", in: "a")
        for section in ["teams", "keys", "apps", "services", "signing_keys", "switches"] {
            #expect(first[section] == seeded[section], "\(section)")
        }
        try await harness.post("/people", ["email": "olga@example.com"], in: "a")
        try await harness.post("/clock", ["now": "2030-01-01T00:00:00Z"], in: "a")
        try await harness.post("/authorizations/next", ["person": "maya@example.com"], in: "a")
        try await harness.post("/faults", ["endpoint": "token", "status": 503], in: "a")
        let changed = try await harness.control.send(
            .patch,
            "/switches?siwa_world=a",
            #"{"token_type":"bearer"}"#
        )
        #expect(changed.object["token_type"] == "bearer")
        for world in [nil, "b"] {
            let state = try await harness.ask("/state", in: world)
            for section in ["people", "authorizations_next", "faults", "switches"] {
                #expect(
                    state[section]?.arrayValue?.count == seeded[section]?.arrayValue?.count,
                    "\(section)"
                )
            }
            #expect(state["switches"] == seeded["switches"])
            #expect(state["now"]?.stringValue?.hasPrefix("2030") == false)
        }
    }

    @Test("Worlds are listed, reset one by one, and removed") func life() async throws {
        try await harness.post("/people", ["email": "olga@example.com"], in: "b.2")
        _ = try await harness.ask("/state", in: "A-1")
        let list = try await harness.ask("/worlds", in: nil)["worlds"]?.arrayValue ?? []
        #expect(list.map { $0.objectValue?["name"] } == ["A-1", "b.2"])
        for field in ["made_at", "used_at"] {
            #expect(list.allSatisfy { $0.objectValue?[field]?.stringValue != nil })
        }
        try await harness.post("/reset", [:], in: "A-1")
        #expect(try await harness.ask("/state", in: "b.2")["people"]?.arrayValue?.count == 3)
        try await harness.control.send(.delete, "/worlds/b.2", expecting: .noContent)
        for name in ["b.2", "b%202", "%F0%9F%8D%8E"] {
            let again = try await harness.control.send(.delete, "/worlds/\(name)")
            #expect(again.status == .notFound)
            #expect(again.object["field"] == "name")
        }
        #expect(try await harness.ask("/state", in: "b.2")["people"]?.arrayValue?.count == 2)
    }

    @Test(
        "Invalid names are refused",
        arguments: ["a%20b", "%2F", "ä", String(repeating: "a", count: 65), "a&siwa_world=b"]
    )
    func wrongNames(name: String) async throws {
        let answer = try await harness.control.send(.get, "/state?siwa_world=\(name)")
        #expect(answer.status == .unprocessableContent)
        #expect(answer.object["field"] == "siwa_world")
        let refused = await harness.apple(.get, "/auth/keys?siwa_world=\(name)")
        #expect(refused.response.status == .badRequest)
        let request = try await harness.ask("/requests", in: nil)["requests"]?.arrayValue?.last
        let reason = request?.objectValue?["reason"]?.stringValue
        #expect(reason?.hasPrefix("siwa_world ") == true)
        #expect(try await harness.ask("/worlds", in: nil)["worlds"] == [])
    }

    @Test("A wrong header field is named") func wrongField() async throws {
        let answer = try await harness.control.send(.get, "/state", fields: ["Siwa-World": "a b"])
        #expect(answer.status == .unprocessableContent)
        #expect(answer.object["field"] == "Siwa-World")
    }

    @Test("The number of worlds is limited, also for simultaneous requests")
    func limit() async throws {
        let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
            for number in 1...Worlds.maximumCount + 6 {
                group.addTask {
                    try await harness.control.send(.get, "/clock?siwa_world=w\(number)").status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        // An existing world responds that the path has no such method.
        #expect(statuses.count { $0 == .methodNotAllowed } == Worlds.maximumCount)
        #expect(statuses.count { $0 == .tooManyRequests } == 6)
        let refused = try await harness.control.send(.get, "/state?siwa_world=other")
        #expect(refused.object["code"] == "too_many_worlds")
        let apple = await harness.apple(.get, "/auth/keys?siwa_world=other")
        #expect(apple.response.status == .badRequest)
        let name = try #require(try await Self.names(harness).first)
        _ = try await harness.control.send(.delete, "/worlds/\(name)")
        _ = try await harness.ask("/state", in: "other")
    }

    @Test("A new world replaces the one that was idle longest") func idle() async throws {
        let time = ManualTime()
        let harness = try await WorldHarness(time: time.source)
        for number in 1...Worlds.maximumCount {
            _ = try await harness.ask("/state", in: "w\(number)")
            time.advance(bySeconds: 1)
        }
        // The first two are used later than all others: one by name, one by its code.
        _ = try await harness.ask("/state", in: "w1")
        let code = try await harness.code(in: "w2")
        time.advance(bySeconds: Worlds.maximumIdleSeconds - 62)
        let early = try await harness.control.send(.get, "/state?siwa_world=new")
        #expect(early.status == .tooManyRequests)
        #expect(early.object["detail"]?.stringValue?.contains("within the last hour") == true)
        _ = await harness.apple(.post, "/auth/token", form: ["code": code])
        time.advance(bySeconds: 2)
        _ = try await harness.ask("/state", in: "new")
        let names = try await Self.names(harness)
        #expect(names.count == Worlds.maximumCount && !names.contains("w3"))
        #expect(names.isSuperset(of: ["w1", "w2", "w4", "new"]))
    }

    @Test("A replaced world is deleted with all its data") func ended() async throws {
        let time = ManualTime()
        let harness = try await WorldHarness(time: time.source)
        try await harness.post("/people", ["email": "olga@example.com"], in: "w1")
        for number in 2...Worlds.maximumCount {
            _ = try await harness.ask("/state", in: "w\(number)")
        }
        time.advance(bySeconds: Worlds.maximumIdleSeconds + 1)
        for number in 2...Worlds.maximumCount + 1 {
            _ = try await harness.ask("/state", in: "w\(number)")
        }
        #expect(try await !Self.names(harness).contains("w1"))
        time.advance(bySeconds: Worlds.maximumIdleSeconds + 1)
        #expect(try await harness.ask("/state", in: "w1")["people"]?.arrayValue?.count == 2)
    }

    @Test(
        "A hidden request of another site's page creates no world",
        arguments: [
            ["Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"],
            ["Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"],
            ["Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"], [:],
        ]
    )
    func unseen(fields: [String: String]) async throws {
        let sent = fields.merging(["Sec-Fetch-Site": "cross-site"]) { own, _ in own }
        let answer = try await harness.control.send(.get, "/?siwa_world=a", fields: sent)
        #expect(answer.status == .forbidden)
        #expect(answer.headers[.setCookie] == nil)
        let apple = await harness.apple(.get, "/account?siwa_world=a", named: sent)
        #expect(apple.response.status == .badRequest)
        #expect(await harness.worlds.all.isEmpty)
        let request = try await harness.ask("/requests", in: nil)["requests"]?.arrayValue?.last
        let reason = request?.objectValue?["reason"]?.stringValue
        #expect(reason?.hasPrefix("a page of another site can't create a world") == true)
        // An existing one responds: a page embeds Apple's script with its world.
        _ = try await harness.ask("/state", in: "a")
        let known = await harness.apple(.get, "/account?siwa_world=a", named: sent)
        #expect(known.response.status == .ok)
    }

    @Test(
        "A link, a typed URL and a program create one",
        arguments: [
            [
                "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate",
                "Sec-Fetch-Dest": "document",
            ],
            ["Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"],
            ["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"], [:],
        ]
    )
    func seen(fields: [String: String]) async throws {
        try await harness.control.send(.get, "/?siwa_world=a", fields: fields, expecting: .ok)
        let apple = await harness.apple(.get, "/account?siwa_world=b", named: fields)
        #expect(apple.response.status == .ok)
        #expect(try await Self.names(harness) == ["a", "b"])
    }

    private static func names(_ harness: WorldHarness) async throws -> Set<String> {
        let worlds = try await harness.ask("/worlds", in: nil)["worlds"]?.arrayValue ?? []
        return Set(worlds.compactMap { $0.objectValue?["name"]?.stringValue })
    }

    @Test("A page of another site creates no world") func crossSite() async throws {
        let fields = ["Origin": "https://evil.example.com"]
        let answer = try await harness.control.send(.get, "/state?siwa_world=a", fields: fields)
        #expect(answer.status == .forbidden)
        #expect(await harness.worlds.all.isEmpty)
    }

    @Test("A browser stays in a world until it leaves it") func browser() async throws {
        let entered = try await harness.control.send(.get, "/?siwa_world=a")
        let cookie = try #require(entered.headers[.setCookie])
        #expect(cookie == "siwa-world=a; Path=/; HttpOnly; SameSite=Lax")
        let stay = ["Cookie": "siwa-world=a"]
        let again = try await harness.control.send(
            .post,
            "/people",
            #"{"email":"olga@example.com"}"#,
            fields: stay
        )
        #expect(again.status == .created && again.headers[.setCookie] == nil)
        #expect(try await harness.ask("/state", in: nil)["people"]?.arrayValue?.count == 2)
        let left = try await harness.control.send(.get, "/?siwa_world=", fields: stay)
        #expect(left.headers[.setCookie]?.contains("Max-Age=0") == true)
    }
}
