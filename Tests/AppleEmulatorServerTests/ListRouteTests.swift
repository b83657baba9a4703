import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import ServerTestSupport
import TestSupport
import Testing

@testable import AppleEmulatorServer

@Suite("Lists that grow", .timeLimit(.minutes(2))) struct ListRouteTests {
    private let harness: Harness

    init() async throws { harness = try await Harness() }

    private struct Harness {
        let control: ControlClient
        let emulator: AppleEmulator
        let time = ManualTime()

        func ask(_ path: String) async throws -> JSONObject {
            let answer = try await control.send(.get, path, expecting: .ok)
            return answer.object
        }

        /// A request to Apple's port.
        func visit() async { await emulator.ask("/auth/keys") }

        init() async throws {
            emulator = try await makeEmulator(of: Seed(), time: time.source)
            control = try await ControlClient(emulator)
        }
    }

    private static func numbers(_ object: JSONObject, _ name: String) -> [Int] {
        (object[name]?.arrayValue ?? []).compactMap { $0.objectValue?["number"]?.integerValue }
    }

    @Test("Only requests after a number are listed") func after() async throws {
        for _ in 1...3 { await harness.visit() }
        let all = try await harness.ask("/requests")
        #expect(Self.numbers(all, "requests") == [1, 2, 3])
        #expect(all["last_number"] == 3)
        let later = try await harness.ask("/requests?after=2&wait=60")
        #expect(Self.numbers(later, "requests") == [3])
        let none = try await harness.ask("/requests?after=3")
        #expect(none["requests"] == [] && none["last_number"] == 3)
    }

    @Test("A wait ends with the first item") func item() async throws {
        await harness.visit()
        async let answer = harness.ask("/requests?after=1&wait=60")
        try await waitUntil { await harness.emulator.watcherCount == 1 }
        await harness.visit()
        #expect(try await Self.numbers(answer, "requests") == [2])
        #expect(await harness.emulator.watcherCount == 0)
        #expect(harness.time.sleeperCount == 0)
    }

    @Test("A wait ends with an empty list when its time is up, whatever Apple's clock shows")
    func end() async throws {
        async let answer = harness.ask("/requests?wait=5")
        try await waitUntil { harness.time.sleeperCount == 1 }
        try await harness.control.post("/clock", ["advance_seconds": 3_600], expecting: .ok)
        harness.time.advance(bySeconds: 4)
        #expect(await harness.emulator.watcherCount == 1)
        harness.time.advance(bySeconds: 1)
        #expect(try await answer["requests"] == [])
    }

    @Test("Notifications and mail are waited for by what they are") func kinds() async throws {
        try await harness.control.register(
            ["email": "maya@example.com"],
            ["email": "noah@example.com"]
        )
        async let notifications = harness.ask("/notifications?wait=60")
        async let mine = harness.ask("/mail?person=maya@example.com&wait=60")
        try await waitUntil { await harness.emulator.watcherCount == 2 }
        await harness.visit()
        for person in ["noah@example.com", "maya@example.com"] {
            let content = Data("Subject: a\r\n\r\nb\r\n".utf8)
            let from = "shop@example.org"
            let answer = await harness.emulator.receiveMail(content, from: from, to: [person])
            #expect(answer.hasPrefix("250"))
        }
        let mail = try await mine
        #expect(Self.numbers(mail, "messages") == [2])
        #expect(mail["last_number"] == 2 && mail["sent"] == [] && mail["bounces"] == [])
        #expect(await harness.emulator.watcherCount == 1)
        try await harness.control.post(
            "/notifications",
            ["type": "consent-revoked", "client_id": "com.example.juice", "sub": "001.a.2"],
            expecting: .created
        )
        #expect(Self.numbers(try await notifications, "notifications") == [1])
    }

    @Test("Numbers continue after a reset") func reset() async throws {
        for _ in 1...3 { await harness.visit() }
        try await harness.control.post("/reset", [:], expecting: .ok)
        await harness.visit()
        let later = try await harness.ask("/requests?after=3")
        #expect(Self.numbers(later, "requests") == [4])
    }

    @Test(
        "Wrong values are refused by name",
        arguments: ["requests", "notifications", "mail"],
        [
            ("after=-1", "after"), ("after=1.5", "after"), ("after=", "after"),
            ("after=x", "after"), ("after=9007199254740993", "after"),
            ("after=1&after=2", "after"), ("wait=61", "wait"), ("wait=-1", "wait"),
            ("wait=0.5", "wait"), ("wait=%2B5", "wait"), ("wait=99999999999999999999", "wait"),
        ]
    )
    func wrong(list: String, query: (text: String, field: String)) async throws {
        let answer = try await harness.control.send(.get, "/\(list)?\(query.text)")
        #expect(answer.status == .unprocessableContent, "\(answer.text)")
        #expect(answer.object["field"] == .string(query.field))
    }

    @Test("The number of waiting requests is limited") func limit() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...AppleEmulator.maximumWatcherCount {
                group.addTask {
                    let found = try await harness.ask("/requests?wait=60")
                    #expect(Self.numbers(found, "requests") == [1])
                }
            }
            try await waitUntil {
                await harness.emulator.watcherCount == AppleEmulator.maximumWatcherCount
            }
            let refused = try await harness.control.send(.get, "/requests?wait=60")
            #expect(refused.status == .tooManyRequests)
            #expect(refused.object["code"] == "too_many_waiting")
            #expect(try await harness.ask("/requests")["requests"] == [])
            await harness.visit()
            try await group.waitForAll()
        }
    }

    @Test("A closed connection ends its wait, and a shutdown ends every wait")
    func gone() async throws {
        let time = ManualTime()
        let emulator = try await makeEmulator(of: Seed(), time: time.source)
        let question = "GET /requests?wait=60 HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let waiting = try await withEmulatorService(emulator) { addresses in
            let port = try #require(addresses.control.port)
            try await MailClient.connected(to: port) { client in
                try await client.send(question)
                try await waitUntil { await emulator.watcherCount == 1 }
            }
            try await waitUntil { await emulator.watcherCount == 0 }
            let waiting = Task {
                try await MailClient.connected(to: port) { client in
                    try await client.send(question)
                    #expect(try await client.answer() == "HTTP/1.1 200 OK")
                }
            }
            try await waitUntil { await emulator.watcherCount == 1 }
            return waiting
        }
        try await waiting.value
        #expect(await emulator.watcherCount == 0)
    }
}
