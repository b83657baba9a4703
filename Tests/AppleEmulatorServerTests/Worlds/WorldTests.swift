import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulatorServer

@Suite("Worlds at the control port", .timeLimit(.minutes(2))) struct WorldTests {
    @Test("A world begins with the seed and goes its own way") func apart() async throws {
        try await WorldHarness.run { harness in
            let seeded = try await harness.ask("/state", in: nil)
            let first = try await harness.ask("/state", in: "a")
            for section in ["teams", "keys", "apps", "services", "signing_keys", "switches"] {
                #expect(first[section] == seeded[section], "\(section)")
            }
            try await harness.post("/people", ["email": "olga@example.com"], in: "a")
            try await harness.post("/clock", ["now": "2030-01-01T00:00:00Z"], in: "a")
            try await harness.post(
                "/authorizations/next",
                ["person": "maya@example.com"],
                in: "a"
            )
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
    }

    @Test("Worlds are listed, reset one by one, and removed") func life() async throws {
        try await WorldHarness.run { harness in
            try await harness.post("/people", ["email": "olga@example.com"], in: "b.2")
            _ = try await harness.ask("/state", in: "A-1")
            let list = try await harness.ask("/worlds", in: nil)["worlds"]?.arrayValue ?? []
            #expect(list.map { $0.objectValue?["name"] } == ["A-1", "b.2"])
            #expect(list.allSatisfy { $0.objectValue?["made_at"]?.stringValue != nil })
            try await harness.post("/reset", [:], in: "A-1")
            let kept = try await harness.ask("/state", in: "b.2")
            #expect(kept["people"]?.arrayValue?.count == 3)
            let removed = try await harness.control.send(.delete, "/worlds/b.2")
            #expect(removed.status == .noContent)
            for name in ["b.2", "b%202", "%F0%9F%8D%8E"] {
                let again = try await harness.control.send(.delete, "/worlds/\(name)")
                #expect(again.status == .notFound)
                #expect(again.object["field"] == "name")
            }
            let fresh = try await harness.ask("/state", in: "b.2")
            #expect(fresh["people"]?.arrayValue?.count == 2)
        }
    }

    @Test(
        "Names that are none are refused",
        arguments: ["a%20b", "%2F", "ä", String(repeating: "a", count: 65), "a&siwa_world=b"]
    )
    func wrongNames(name: String) async throws {
        try await WorldHarness.run { harness in
            let answer = try await harness.control.send(.get, "/state?siwa_world=\(name)")
            #expect(answer.status == .unprocessableContent)
            #expect(answer.object["field"] == "siwa_world")
            let refused = await harness.apple(.get, "/auth/keys?siwa_world=\(name)")
            #expect(refused.response.status == .badRequest)
            let request = try await harness.ask("/requests", in: nil)["requests"]?.arrayValue?.last
            let reason = request?.objectValue?["reason"]?.stringValue
            #expect(reason?.hasPrefix("siwa_world ") == true)
            let list = try await harness.ask("/worlds", in: nil)
            #expect(list["worlds"] == [])
        }
    }

    @Test("A wrong header field is named") func wrongField() async throws {
        try await WorldHarness.run { harness in
            let answer = try await harness.control.send(
                .get,
                "/state",
                fields: ["Siwa-World": "a b"]
            )
            #expect(answer.status == .unprocessableContent)
            #expect(answer.object["field"] == "Siwa-World")
        }
    }

    @Test("There are only so many worlds, also when all are asked for at once")
    func limit() async throws {
        try await WorldHarness.run { harness in
            let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for number in 1...Worlds.maximumCount + 6 {
                    group.addTask {
                        try await harness.control.send(.get, "/clock?siwa_world=w\(number)").status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // A world that is there says that the path has no such method.
            #expect(statuses.count { $0 == .methodNotAllowed } == Worlds.maximumCount)
            #expect(statuses.count { $0 == .tooManyRequests } == 6)
            let refused = try await harness.control.send(.get, "/state?siwa_world=other")
            #expect(refused.object["code"] == "too_many_worlds")
            let apple = await harness.apple(.get, "/auth/keys?siwa_world=other")
            #expect(apple.response.status == .badRequest)
            let list = try await harness.ask("/worlds", in: nil)["worlds"]?.arrayValue ?? []
            let name = try #require(list.first?.objectValue?["name"]?.stringValue)
            _ = try await harness.control.send(.delete, "/worlds/\(name)")
            _ = try await harness.ask("/state", in: "other")
        }
    }

    @Test("A page of another site makes no world") func crossSite() async throws {
        try await WorldHarness.run { harness in
            let answer = try await harness.control.send(
                .get,
                "/state?siwa_world=a",
                fields: ["Origin": "https://evil.example.com"]
            )
            #expect(answer.status == .forbidden)
            #expect(await harness.worlds.all.isEmpty)
        }
    }

    @Test("A browser stays in a world until it leaves it") func browser() async throws {
        try await WorldHarness.run { harness in
            let entered = try await harness.control.send(.get, "/?siwa_world=a")
            let cookie = try #require(entered.headers[.setCookie])
            #expect(cookie == "siwa-world=a; Path=/; HttpOnly; SameSite=Lax")
            let again = try await harness.control.send(
                .post,
                "/people",
                #"{"email":"olga@example.com"}"#,
                fields: ["Cookie": "siwa-world=a"]
            )
            #expect(again.status == .created && again.headers[.setCookie] == nil)
            #expect(try await harness.ask("/state", in: nil)["people"]?.arrayValue?.count == 2)
            let left = try await harness.control.send(
                .get,
                "/?siwa_world=",
                fields: ["Cookie": "siwa-world=a"]
            )
            #expect(left.headers[.setCookie]?.contains("Max-Age=0") == true)
        }
    }
}
