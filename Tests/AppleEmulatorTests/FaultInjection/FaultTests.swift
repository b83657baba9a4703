import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@Suite("Faults") final class FaultTests: BoxSuite {
    @Test("Content type and header fields of Apple's response are changed or removed")
    func fields() async throws {
        _ = try await box.apple.addFault([
            "endpoint": "keys", "content_type": "text/plain",
            "headers": ["X-Proxy": "cache", "Cache-Control": .null],
        ])
        let reply = await box.send(.get, "/auth/keys")
        #expect(reply.status == 200)
        #expect(reply.text.hasPrefix(#"{"keys":["#))
        #expect(reply.header("Content-Type") == "text/plain")
        #expect(reply.header("X-Proxy") == "cache")
        #expect(reply.header("Cache-Control") == nil)
        let usual = await box.send(.get, "/auth/keys")
        #expect(usual.header("Content-Type") == "application/json;charset=UTF-8")
    }

    @Test("A page of a proxy has a wrong status and a type of its own") func page() async throws {
        _ = try await box.apple.addFault([
            "endpoint": "token", "status": 502, "body": "{}", "content_type": "text/html",
        ])
        let reply = await box.send(.post, "/auth/token")
        #expect(reply.status == 502 && reply.text == "{}")
        #expect(reply.header("Content-Type") == "text/html")
    }

    @Test("A status without body has none", arguments: [204, 205, 304])
    func noBody(status: Int) async throws {
        let fault: JSONObject = ["endpoint": "keys", "status": .integer(status)]
        _ = try await box.apple.addFault(fault)
        let reply = await box.send(.get, "/auth/keys")
        #expect(reply.status == status && reply.text.isEmpty)
        await box.expectRefused([(fault.merging(["body": "x"]), "body")]) {
            try await box.apple.addFault($0)
        }
    }

    @Test("The last request that a fault changes says that the fault is used up")
    func usedUp() async throws {
        _ = try await box.apple.addFault(["endpoint": "token", "status": 400, "count": 2])
        var hints: [String] = []
        for _ in 1...2 {
            _ = await box.send(.post, "/auth/token")
            hints.append(await box.lastHint())
        }
        #expect(hints[0].contains("DELETE /faults"))
        #expect(hints[1].hasPrefix("this fault, such as the tour's, is now used up"))
    }

    @Test("A fault of a client concerns no other client") func client() async throws {
        _ = try await box.apple.addFault([
            "endpoint": "token", "status": 503, "client_id": .string(Box.app),
        ])
        _ = try await box.apple.addFault([
            "endpoint": "authorize", "status": 503, "client_id": .string(Box.app),
        ])
        #expect(try await box.tokens().status == 200)
        #expect(try await box.exchange("c", ["client_id": Box.app]).status == 503)
        #expect(await box.authorize(["client_id": Box.app]).status == 503)
        await box.expectRefused([
            (["endpoint": "keys", "status": 503, "client_id": .string(Box.app)], "client_id")
        ]) { try await box.apple.addFault($0) }
    }

    @Test("One fault is removed by its ID") func removed() async throws {
        var ids: [Int] = []
        for status in [500, 502] {
            let fault = try await box.apple.addFault([
                "endpoint": "keys", "status": .integer(status),
            ])
            ids.append(try #require(fault["id"]?.integerValue))
        }
        try await box.apple.removeFault(id: String(ids[0]))
        for id in [String(ids[0]), "x", "99999999999999999999"] {
            await box.expectRefusal(.notFound) { try await $0.removeFault(id: id) }
        }
        #expect(await box.send(.get, "/auth/keys").status == 502)
    }

    @Test("Requests pass before a fault is met") func skip() async throws {
        let fault = try await box.apple.addFault(["endpoint": "keys", "status": 500, "skip": 2])
        #expect(fault["skip"] == 2)
        var statuses: [Int] = []
        for _ in 1...4 { statuses.append(await box.send(.get, "/auth/keys").status) }
        #expect(statuses == [200, 200, 500, 200])
    }

    @Test("A probability is met by the same requests each time, as its seed decides")
    func probability() async throws {
        func statuses(seed: Int) async throws -> [Int] {
            let box = try await Box {
                $0.faults = [
                    [
                        "endpoint": "keys", "status": 503, "probability": .number(0.5),
                        "seed": .integer(seed), "count": 1_000,
                    ]
                ]
            }
            var statuses: [Int] = []
            for _ in 1...200 { statuses.append(await box.send(.get, "/auth/keys").status) }
            return statuses
        }
        let first = try await statuses(seed: 1)
        #expect(try await statuses(seed: 1) == first)
        #expect(try await statuses(seed: 2) != first)
        #expect((60...140).contains(first.count { $0 == 503 }))
    }

    @Test("A seed's faults apply again after a reset") func seeded() async throws {
        let seed = try Seed(yaml: "faults: [{endpoint: keys, status: 500}]")
        let box = try await Box { $0.faults = seed.faults }
        #expect(await box.send(.get, "/auth/keys").status == 500)
        #expect(await box.apple.faults().isEmpty)
        try await box.apple.reset()
        #expect(await box.apple.faults().count == 1)
    }

    @Test("Wrong fields are named") func wrong() async {
        let mistakes: [(String, JSONValue)] = [
            ("content_type", 1), ("content_type", "a\nb"), ("headers", []),
            ("headers", ["a b": "c"]), ("headers", ["Content-Length": "1"]),
            ("headers", ["a": 1]), ("headers", ["a": "b\r\nc: d"]), ("probability", 0),
            ("probability", .number(1.5)), ("probability", "often"), ("seed", -1), ("skip", -1),
            ("count", 0), ("status", 99), ("status", 100), ("status", 103), ("delay_ms", -1),
            ("drop", "yes"), ("endpoint", "mail"),
        ]
        let fault: JSONObject = ["endpoint": "keys", "status": 500]
        await box.expectRefused(
            mistakes.map { (fault.merging(JSONObject([.init(name: $0, value: $1)])), $0) }
        ) { try await box.apple.addFault($0) }
        await #expect(throws: ControlRefusal.self) {
            try await box.apple.addFault(["endpoint": "keys"])
        }
    }
}
