import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulatorServer

@Suite("Worlds at the control port", .timeLimit(.minutes(2))) struct WorldTests {
    private let harness: WorldHarness

    init() async throws { harness = try await WorldHarness() }

    @Test("A new world answers with its addresses") func made() async throws {
        let made = try await harness.control.post(
            "/worlds",
            ["world": "ci-42"],
            expecting: .created
        )
        #expect(
            made == [
                "world": "ci-42", "path": "/w/ci-42",
                "apple_url": "http://localhost:8081/w/ci-42",
                "control_url": "http://localhost/w/ci-42", "smtp_user": "ci-42",
                "smtp": "localhost:8025",
            ]
        )
        let again = try await harness.control.post("/worlds", ["world": "ci-42"], expecting: .ok)
        #expect(again == made)
        let addresses = try await harness.ask("/addresses", in: "ci-42")
        #expect(addresses["apple"] == "http://127.0.0.1:8081/w/ci-42")
        #expect(addresses["control"] == "http://127.0.0.1:8082/w/ci-42")
        let random = try await harness.control.post("/worlds", [:], expecting: .created)
        #expect(random.text("world").wholeMatch(of: /[0-9a-f]{32}/) != nil)
    }

    @Test("A world starts from the seed and changes independently") func apart() async throws {
        try await harness.make("a", "b")
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
            "/w/a/switches",
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
        try await harness.make("b.2", "A-1")
        try await harness.post("/people", ["email": "olga@example.com"], in: "b.2")
        let list = try await harness.ask("/worlds", in: nil)["worlds"]?.arrayValue ?? []
        #expect(list.map { $0.objectValue?["path"] } == ["/w/A-1", "/w/b.2"])
        for field in ["made_at", "used_at"] {
            #expect(list.allSatisfy { $0.objectValue?[field]?.stringValue != nil })
        }
        try await harness.post("/reset", [:], in: "A-1")
        #expect(try await harness.ask("/state", in: "b.2")["people"]?.arrayValue?.count == 3)
        try await harness.control.send(.delete, "/worlds/b.2", expecting: .noContent)
        for name in ["b.2", "b%202", "%F0%9F%8D%8E"] {
            try await harness.control.send(.delete, "/worlds/\(name)", expecting: .notFound)
        }
        try await harness.control.send(.get, "/w/b.2/state", expecting: .notFound)
        try await harness.make("b.2")
        #expect(try await harness.ask("/state", in: "b.2")["people"]?.arrayValue?.count == 2)
    }

    @Test("A client with a world's addresses can create another one") func nested() async throws {
        try await harness.make("ci-42")
        let made = try await harness.post("/worlds", ["world": "a"], in: "ci-42")
        #expect(made["path"] == "/w/a")
        try await harness.post("/people", ["email": "olga@example.com"], in: "ci-42/w/a")
        #expect(try await harness.ask("/state", in: "a")["people"]?.arrayValue?.count == 3)
        #expect(try await harness.ask("/state", in: "ci-42")["people"]?.arrayValue?.count == 2)
        try await harness.control.send(.get, "/w/ci-42/w/no/state", expecting: .notFound)
        try await harness.control.send(.delete, "/worlds/ci-42", expecting: .noContent)
        _ = try await harness.ask("/state", in: "ci-42/w/a")
        let long = String(repeating: "/w/a", count: 2_000) + "/state"
        try await harness.control.send(.get, long, expecting: .ok)
    }

    @Test("A deleted world is freed") func freed() async throws {
        weak var emulator: AppleEmulator?
        for name in ["a", "b"] {
            try await harness.make(name)
            emulator = try harness.world(name).emulator
            _ = try await harness.ask("/state", in: name)
            _ = await harness.apple(.get, "/w/\(name)/account")
            try await harness.control.send(.delete, "/worlds/\(name)", expecting: .noContent)
        }
        // The stream of new worlds keeps what no sender has taken yet.
        var made = harness.worlds.made.makeAsyncIterator()
        _ = await made.next()
        _ = await made.next()
        #expect(emulator == nil)
    }

    @Test(
        "Invalid names are refused",
        arguments: ["a b", "", ".", "..", "-a", "ä", "a/b", String(repeating: "a", count: 65)]
    )
    func wrongNames(name: String) async throws {
        let answer = try await harness.control.post(
            "/worlds",
            ["world": .string(name)],
            expecting: .unprocessableContent
        )
        #expect(answer["field"] == "world")
        #expect(harness.worlds.all.isEmpty)
    }

    @Test("The number of worlds is limited, also for simultaneous requests")
    func limit() async throws {
        let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
            for number in 1...Worlds.maximumCount + 6 {
                group.addTask {
                    try await harness.control.send(.post, "/worlds", #"{"world":"w\#(number)"}"#)
                        .status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == .created } == Worlds.maximumCount)
        #expect(statuses.count { $0 == .conflict } == 6)
        let refused = try await harness.control.post("/worlds", [:], expecting: .conflict)
        #expect(refused.text("detail").contains("\(Worlds.maximumCount) worlds"))
        let name = try #require(harness.worlds.all.first?.name)
        try await harness.control.send(.delete, "/worlds/\(name.text)", expecting: .noContent)
        try await harness.make("other")
    }

    @Test("A world ends after an hour without requests") func idle() async throws {
        let time = ManualTime()
        let harness = try await WorldHarness(time: time.source)
        try await harness.make("a")
        let world = try harness.world("a")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await harness.worlds.endIdle(world) }
            while time.sleeperCount == 0 { await Task.yield() }
            time.advance(bySeconds: Worlds.maximumIdleSeconds - 1)
            _ = await harness.apple(.get, "/w/a/auth/keys")
            time.advance(bySeconds: 2)
            while time.sleeperCount == 0 { await Task.yield() }
            #expect(harness.worlds.all.count == 1)
            time.advance(bySeconds: Worlds.maximumIdleSeconds)
            try await group.waitForAll()
        }
        #expect(harness.worlds.all.isEmpty)
    }

    @Test("A page of another site creates no world") func crossSite() async throws {
        for fields in [
            ["Origin": "https://evil.example.com"],
            ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"],
        ] {
            let answer = try await harness.control.send(.post, "/worlds", "{}", fields: fields)
            #expect(answer.status == .forbidden)
        }
        #expect(harness.worlds.all.isEmpty)
    }

    @Test("The console's links, forms and redirects stay in their world") func console()
        async throws
    {
        try await harness.make("a")
        for path in ["/", "/console/people", "/console/apps", "/flows"] {
            let page = try await harness.control.send(
                .get,
                "/w/a" + path,
                fields: ["Accept": "text/html"],
                expecting: .ok
            )
            let links = page.text.matches(of: #/ (?:href|action)="(\/[^"]*)"/#).map(\.1)
            #expect(!links.isEmpty && links.allSatisfy { $0.hasPrefix("/w/a/") }, "\(links)")
            #expect(page.text.contains("world <strong>a</strong>"))
        }
        let sent = try await harness.control.send(
            .post,
            "/w/a/console/people",
            "email=olga%40example.com",
            fields: [
                "Content-Type": "application/x-www-form-urlencoded",
                "Sec-Fetch-Site": "same-origin",
            ]
        )
        #expect(sent.headers[.location]?.hasPrefix("/w/a/console/people") == true)
        #expect(try await harness.ask("/state", in: "a")["people"]?.arrayValue?.count == 3)
        #expect(try await harness.ask("/state", in: nil)["people"]?.arrayValue?.count == 2)
    }
}
