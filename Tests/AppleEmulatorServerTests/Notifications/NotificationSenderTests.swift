import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServerTestSupport
import TestSupport
import Testing

@testable import AppleEmulatorServer

// Fidelity: notification-5, notification-16
/// One after the other: their waits would take the cores from the sockets they wait for.
@Suite(.serialized, .timeLimit(.minutes(5))) struct NotificationSenderTests {
    @Test func whatAPersonDoesReachesTheServerAtOnce() async throws {
        try await Self.sending(answering: Self.answering(.ok)) { apple, receiver, _ in
            _ = try await apple.credentials(
                for: "maya@example.com",
                ["client_id": "com.example.juice", "scopes": ["email"], "email": "hide"]
            )
            try await apple.stopUsing("maya@example.com", clientID: "com.example.juice")
            let made = try await Self.finished(apple, "delivered")
            let attempt = Self.attempts(made).first
            #expect(attempt?["status"] == 200)
            #expect(attempt?["body"] == "from the receiver")
            let received = try #require(receiver.received.first)
            #expect(receiver.received.count == 1)
            #expect(received.head.method == .post)
            #expect(received.head.path == "/apple/notifications")
            #expect(received.head.headerFields[.contentType] == "application/json")
            let body = try JSONValue(parsing: received.body).objectValue
            #expect(body?.names == ["payload"])
        }
    }

    @Test(arguments: [HTTPResponse.Status.internalServerError, .noContent, .unauthorized])
    func anotherStatusIsTriedAgainWhenTheClockGetsThere(status: HTTPResponse.Status) async throws {
        try await Self.sending(answering: Self.answering(status)) { apple, receiver, _ in
            try await Self.notify(apple)
            for count in 1...5 {
                let made = try await Self.attempted(apple, count)
                #expect(Self.attempts(made).last?["status"] == .integer(status.code))
                let state: JSONValue = count < 5 ? "pending" : "given_up"
                #expect(made["state"] == state)
                _ = try await apple.moveClock(["advance_seconds": 3_600])
            }
            #expect(receiver.received.count == 5)
            #expect(Set(receiver.received.map(\.body)).count == 1)
        }
    }

    @Test func aRetryThatIsDueOnTheClockNeedsNoMove() async throws {
        try await Self.sending(answering: Self.answering(.serviceUnavailable)) {
            apple,
            receiver,
            time in
            try await Self.notify(apple)
            _ = try await Self.attempted(apple, 1)
            try await waitUntil { time.sleeperCount == 1 }
            time.advance(bySeconds: 10)
            _ = try await Self.attempted(apple, 2)
        }
    }

    @Test func aReceiverThatHangsUpIsAnError() async throws {
        let hangingUp: NotificationReceiver.Answer = { _, context in
            try await context.channel.close()
            return Response(status: .ok)
        }
        try await Self.sending(answering: hangingUp) { apple, receiver, _ in
            try await Self.notify(apple)
            let attempt = Self.attempts(try await Self.attempted(apple, 1)).first
            #expect(attempt?["status"] == nil)
            let problem = attempt?["error"]?.stringValue ?? ""
            #expect(problem.contains("closed"), "\(problem)")
        }
    }

    @Test func whereNobodyListensIsAnError() async throws {
        try await Self.sending(to: "http://127.0.0.1:1/apple/notifications") { apple, _ in
            try await Self.notify(apple)
            let attempt = Self.attempts(try await Self.attempted(apple, 1)).first
            #expect(attempt?["error"] == "no connection: nothing listens there")
        }
    }

    @Test(arguments: [HTTPResponse.Status.found, .temporaryRedirect, .permanentRedirect])
    func redirectsAreNotFollowed(status: HTTPResponse.Status) async throws {
        let redirecting: NotificationReceiver.Answer = { _, _ in
            Response(status: status, headers: [.location: "/elsewhere"])
        }
        try await Self.sending(answering: redirecting) { apple, receiver, _ in
            try await Self.notify(apple)
            let attempt = Self.attempts(try await Self.attempted(apple, 1)).first
            #expect(attempt?["status"] == .integer(status.code))
            #expect(attempt?["error"]?.stringValue?.contains("redirect") == true)
            #expect(receiver.received.map(\.head.path) == ["/apple/notifications"])
        }
    }

    @Test func aReceiverThatNeverAnswersIsGivenTenSeconds() async throws {
        try await Self.sending(answering: Self.neverAnswering) { apple, receiver, time in
            try await Self.notify(apple)
            try await waitUntil { !receiver.received.isEmpty && time.sleeperCount > 0 }
            time.advance(bySeconds: 10)
            let attempt = Self.attempts(try await Self.attempted(apple, 1)).first
            #expect(attempt?["error"] == "no response within 10 seconds")
        }
    }

    @Test func ofALongAnswerTheFirstBytesAreKept() async throws {
        let talkative: NotificationReceiver.Answer = { _, _ in
            let body = ResponseBody { writer in
                for _ in 0..<100 { try await writer.write(ByteBuffer(string: "many words, ")) }
                // Whoever waits for the end waits in vain.
                try await ManualTime().source.sleep(for: .seconds(600))
                try await writer.finish(nil)
            }
            return Response(status: .ok, body: body)
        }
        try await Self.sending(answering: talkative) { apple, receiver, _ in
            try await Self.notify(apple)
            let made = try await Self.finished(apple, "delivered")
            #expect(Self.attempts(made).first?["body"]?.stringValue?.utf8.count == 1_024)
        }
    }

    @Test func manyAreSentAFewAtATime() async throws {
        let gate = Gate()
        let waiting: NotificationReceiver.Answer = { _, _ in
            await gate.wait()
            return Response(status: .ok)
        }
        try await Self.sending(answering: waiting) { apple, receiver, _ in
            try await Self.notify(apple, ["duplicates": 19])
            try await waitUntil { receiver.received.count == NotificationSender.maximumConcurrency }
            // A busy sender takes no more, also when it is woken.
            try await Self.notify(apple)
            #expect(receiver.received.count == NotificationSender.maximumConcurrency)
            await gate.open()
            _ = try await Self.finished(apple, "delivered")
            #expect(receiver.received.count == 21)
        }
    }

    @Test func aNameBelowLocalhostIsThisMachine() async throws {
        try await NotificationReceiver.running(answering: Self.answering(.ok)) { receiver in
            let url = "http://juice.localhost:\(receiver.port)/n?a=%20b"
            try await Self.sending(to: url) { apple, _ in
                try await Self.notify(apple)
                _ = try await Self.finished(apple, "delivered")
                let head = try #require(receiver.received.first?.head)
                #expect(head.authority == "juice.localhost:\(receiver.port)")
                #expect(head.path == "/n?a=%20b")
            }
        }
    }

    @Test func shuttingDownBreaksOffWhatIsUnderWay() async throws {
        try await NotificationReceiver.running(answering: Self.neverAnswering) { receiver in
            let apple = try await Self.sending(to: receiver.url) { apple, _ in
                try await Self.notify(apple)
                try await waitUntil { !receiver.received.isEmpty }
            }
            let attempt = Self.attempts(try await Self.attempted(apple, 1)).first
            #expect(attempt?["error"] == "the emulator was stopped")
        }
    }
}

extension NotificationSenderTests {
    /// Lets those pass who wait, from the time it is opened.
    private actor Gate {
        private var isOpen = false
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func wait() async {
            if isOpen { return }
            await withCheckedContinuation { waiting.append($0) }
        }

        func open() {
            isOpen = true
            for continuation in waiting { continuation.resume() }
            waiting = []
        }
    }

    private static func answering(_ status: HTTPResponse.Status) -> NotificationReceiver.Answer {
        { _, _ in
            let body = ByteBuffer(string: status == .noContent ? "" : "from the receiver")
            return Response(status: status, body: ResponseBody(byteBuffer: body))
        }
    }

    /// Waits on a clock that stands still.
    private static let neverAnswering: NotificationReceiver.Answer = { _, _ in
        try await ManualTime().source.sleep(for: .seconds(600))
        return Response(status: .ok)
    }

    /// Runs the body with the sender of an emulator whose app has a notification URL.
    @discardableResult
    private static func sending(
        to url: String,
        _ body: @Sendable (AppleEmulator, ManualTime) async throws -> Void
    ) async throws -> AppleEmulator {
        let time = ManualTime()
        let apple = try await makeEmulator(of: .demo(notificationURL: url), time: time.source)
        let sender = NotificationSender(emulator: apple, time: time.source, logger: .quiet)
        try await withService(sender) { try await body(apple, time) }
        return apple
    }

    /// The same beside a receiver that answers in this way.
    private static func sending(
        answering answer: @escaping NotificationReceiver.Answer,
        _ body:
            @escaping @Sendable (AppleEmulator, NotificationReceiver, ManualTime) async throws ->
            Void
    ) async throws {
        try await NotificationReceiver.running(answering: answer) { receiver in
            try await sending(to: receiver.url) { try await body($0, receiver, $1) }
        }
    }

    private static func notify(_ apple: AppleEmulator, _ changes: JSONObject = [:]) async throws {
        let order: JSONObject = [
            "type": "consent-revoked", "client_id": "com.example.juice", "sub": "000123.a.0456",
        ]
        _ = try await apple.sendNotification(order.merging(changes))
    }

    private static func attempts(_ notification: JSONObject) -> [JSONObject] {
        (notification["attempts"]?.arrayValue ?? []).compactMap(\.objectValue)
    }

    /// The first notification, once all are in this state.
    private static func finished(_ apple: AppleEmulator, _ state: String) async throws -> JSONObject
    {
        try await waitUntil {
            await apple.notifications().allSatisfy { $0["state"] == .string(state) }
        }
        return try #require(await apple.notifications().first)
    }

    /// The first notification, once there were this many attempts.
    private static func attempted(_ apple: AppleEmulator, _ count: Int) async throws -> JSONObject {
        try await waitUntil { await apple.notifications().first.map(attempts)?.count == count }
        return try #require(await apple.notifications().first)
    }
}
