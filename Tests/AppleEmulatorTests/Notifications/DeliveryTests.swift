import AppleEmulator
import AppleIdentity
import Foundation
import Testing

// Fidelity: notification-17, notification-18, notification-19, notification-20
@Suite("The deliveries of notifications") final class DeliveryTests: BoxSuite {
    @Test("A response with status 200 counts as delivered and is shown")
    func delivered() async throws {
        try await box.notify()
        #expect(await box.answerDue(200, body: "thank you") == 1)
        let made = try #require(await box.notifications().first)
        #expect(made["state"] == "delivered")
        let attempt = made["attempts"]?.arrayValue?.first?.objectValue
        #expect(attempt?.names == ["time", "status", "body"])
        #expect(attempt?["body"] == "thank you")
        #expect(await box.answerDue(200) == 0)
    }

    @Test("One that is not received is sent again after 10 s, 1 min, 10 min, 1 h, then given up")
    func retries() async throws {
        try await box.notify()
        let payload = await box.apple.takeDueDeliveries(maximumCount: 9)
        await box.apple.record(.failure("no connection"), of: try #require(payload.first))
        for wait in [10, 60, 600, 3_600] {
            try await box.advance(bySeconds: wait - 1)
            #expect(await box.answerDue(500) == 0, "\(wait)")
            #expect(await box.texts("state") == ["pending"])
            try await box.advance(bySeconds: 1)
            let again = await box.apple.takeDueDeliveries(maximumCount: 9)
            #expect(again == payload)
            await box.apple.record(.answer(status: 500, body: Data()), of: payload[0])
        }
        let made = try #require(await box.notifications().first)
        #expect(made["state"] == "given_up")
        #expect(made["due_at"] == nil)
        #expect(made["attempts"]?.arrayValue?.count == 5)
        try await box.advance(bySeconds: 80_000)
        #expect(await box.answerDue(200) == 0)
    }

    @Test("Only 200 counts as received", arguments: [201, 204, 301, 302, 307, 400, 404, 500, 503])
    func otherStatus(status: Int) async throws {
        try await box.notify()
        await box.answerDue(status)
        let made = try #require(await box.notifications().first)
        #expect(made["state"] == "pending")
        let attempt = made["attempts"]?.arrayValue?.first?.objectValue
        #expect(attempt?["status"] == .integer(status))
        #expect(attempt?["error"]?.stringValue?.isEmpty == false)
        #expect(made["due_at"] != nil)
    }

    @Test("With no retries there is one attempt") func noRetries() async throws {
        let box = try await Box { $0.notificationSettings.retryDelays = [] }
        try await box.notify()
        await box.answerDue(503)
        #expect(await box.texts("state") == ["given_up"])
    }

    @Test("A retry that is received ends it") func fixed() async throws {
        try await box.notify()
        await box.answerDue(503)
        try await box.advance(bySeconds: 10)
        await box.answerDue(200)
        #expect(await box.texts("state") == ["delivered"])
    }

    @Test("What is under way is not taken twice") func underWay() async throws {
        try await box.notify()
        let taken = await box.apple.takeDueDeliveries(maximumCount: 9)
        #expect(taken.count == 1)
        #expect(await box.apple.takeDueDeliveries(maximumCount: 9).isEmpty)
        #expect(await box.texts("state") == ["pending"])
        await box.apple.record(.answer(status: 200, body: Data()), of: taken[0])
        await box.apple.record(.answer(status: 500, body: Data()), of: taken[0])
        #expect(await box.texts("state") == ["delivered"])
    }

    @Test("Duplicates have the same body and name the first") func duplicates() async throws {
        let made = try await box.notify(["duplicates": 2])
        #expect(made["number"] == 1)
        #expect(made["duplicates"] == [2, 3])
        let bodies = await box.apple.takeDueDeliveries(maximumCount: 9).map(\.body)
        #expect(bodies.count == 3 && Set(bodies).count == 1)
        let originals = await box.notifications().map { $0["duplicate_of"]?.integerValue }
        #expect(originals == [nil, 1, 1])
    }

    @Test("Duplicates and delays can be switched on for what people do")
    func switches() async throws {
        _ = try await box.credentials()
        try await box.changeSettings(["duplicates": 1, "delay_seconds": 30])
        try await box.apple.stopUsing(Box.maya, clientID: ClientID(Box.app))
        #expect(await box.texts("state") == ["pending", "pending"])
        try await box.advance(bySeconds: 29)
        #expect(await box.answerDue(200) == 0)
        try await box.advance(bySeconds: 1)
        #expect(await box.answerDue(200) == 2)
    }

    @Test("A delayed notification is sent when the clock gets there") func delay() async throws {
        try await box.notify(["delay_seconds": 3_600])
        #expect(await box.answerDue(200) == 0)
        box.time.advance(bySeconds: 3_600)
        #expect(await box.answerDue(200) == 1)
    }

    @Test("None is sent after its end") func ended() async throws {
        try await box.notify()
        await box.answerDue(500)
        try await box.notify(["delay_seconds": 60])
        try await box.advance(bySeconds: 2 * 86_400)
        #expect(await box.answerDue(200) == 0)
        #expect(await box.texts("state") == ["given_up", "not_sent"])
    }

    @Test("Moved back to before its creation, it is not sent") func clockMovedBack() async throws {
        try await box.notify()
        await box.answerDue(500)
        try await box.advance(bySeconds: 5)
        try await box.notify()
        try await box.advance(bySeconds: -5)
        #expect(await box.answerDue(200) == 0)
        #expect(await box.texts("state") == ["pending", "not_sent"])
        try await box.advance(bySeconds: 10)
        #expect(await box.answerDue(200) == 1)
    }

    @Test("A thousand are stored, and 500 can be pending") func limits() async throws {
        let box = try await Box { $0.apps[0].notificationURL = nil }
        _ = try await box.apple.add(
            .app,
            [
                "client_id": "com.example.pulp", "team_id": .string(Box.team),
                "notification_url": "https://pulp.example.com/",
            ]
        )
        try await box.notify(["client_id": "com.example.pulp"])
        for _ in 1...1_100 { try await box.notify() }
        let numbers = await box.notifications().compactMap { $0["number"]?.integerValue }
        #expect(numbers.count == 1_000)
        #expect(numbers.first == 1, "what waits stays")
        #expect(numbers.last == 1_101)
        for _ in 1...24 {
            try await box.notify(["client_id": "com.example.pulp", "duplicates": 20])
        }
        let last = try #require(await box.notifications().last)
        #expect(last["state"] == "not_sent")
        #expect(last["reason"]?.stringValue?.contains("500") == true)
        let waiting = await box.texts("state").count { $0 == "pending" }
        #expect(waiting == 500)
    }

    @Test("A response body is stored in part, and without tokens") func answerBody() async throws {
        try await box.notify()
        let token = try #require(await box.duePayloads().first)
        try await box.notify()
        await box.answerDue(500, body: "got \(token)")
        try await box.notify()
        await box.answerDue(500, body: String(repeating: "é", count: 2_000))
        let bodies = await box.notifications().map { made in
            made["attempts"]?.arrayValue?.first?.objectValue?["body"]?.stringValue ?? ""
        }
        #expect(bodies[1] == "got [redacted]")
        #expect(bodies[2].utf8.count == 1_024)
    }

    @Test("After a reset the list is empty, and late responses are ignored")
    func reset() async throws {
        try await box.notify()
        let taken = await box.apple.takeDueDeliveries(maximumCount: 9)
        try await box.changeSettings(["duplicates": 3])
        try await box.apple.reset()
        #expect(await box.notifications().isEmpty)
        try await box.notify()
        await box.apple.record(.answer(status: 200, body: Data()), of: taken[0])
        #expect(await box.texts("state") == ["pending"])
    }
}
