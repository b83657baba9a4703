import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import SignInWithApple
import TestSupport
import Testing

@Suite("A notification of Apple", Ledger.lending) struct NotificationRouteTests {
    private let (ledger, world, replica): (Ledger, HelloWorld, HelloWorld)
    init() throws { (ledger, world, replica) = try Ledger.lending.value }

    @Test("is handed on once it was verified, and Apple hears 200") func handedOn() async throws {
        let credential = try await world.apple.credentials()
        try await world.apple.emulator.stopUsing("maya@example.com", clientID: "com.example.juice")
        #expect(await world.deliver() == [200])
        let notification = try #require(await ledger.notifications.first)
        #expect(notification.event.kind == .consentRevoked)
        #expect(notification.userID == credential.user)
    }

    @Test("comes again under the same name when the developer's function failed")
    func failing() async throws {
        _ = try await world.apple.credentials()
        try await world.apple.emulator.stopUsing("maya@example.com", clientID: "com.example.juice")
        await ledger.fail(with: HTTPError(.badRequest))
        #expect(await world.deliver() == [503])
        await ledger.fail(with: nil)
        world.apple.time.advance(bySeconds: 60)
        #expect(await world.deliver() == [200])
        #expect(await world.deliver().isEmpty)
        let sent = await world.apple.notifications()
        #expect(sent.first?["state"] == "delivered")
        let names = await ledger.notifications.map(\.notificationID)
        #expect(names == [sent.first?["claims"]?.objectValue?["jti"]?.stringValue])
    }

    @Test("is passed on twice if it comes twice, and if its kind is unknown")
    func duplicatesAndNewKinds() async throws {
        _ = try await world.apple.credentials()
        _ = try await world.apple.emulator.sendNotification([
            "type": "passkey-added", "client_id": "com.example.juice",
            "person": "maya@example.com", "duplicates": 1,
        ])
        #expect(await world.deliver() == [200, 200])
        let notifications = await ledger.notifications
        #expect(notifications.map(\.event.kind.rawValue) == ["passkey-added", "passkey-added"])
        #expect(Set(notifications.map(\.notificationID)).count == 1)
    }

    @Test(
        "is refused with a code when anything about it is wrong",
        arguments: [
            ("bad_signature", "token_signature_invalid"), ("unknown_key", "token_unknown_key"),
            ("unsigned", "token_unsupported_algorithm"), ("wrong_issuer", "token_issuer_mismatch"),
            ("wrong_audience", "token_audience_mismatch"), ("expired", "token_expired"),
            ("issued_in_the_future", "token_not_yet_valid"), ("events_missing", "token_wrong_kind"),
            ("events_not_json", "token_malformed"), ("payload_missing", "notification_malformed"),
            ("not_json", "notification_malformed"),
        ]
    )
    func refused(_ defect: String, _ code: String) async throws {
        _ = try await world.apple.credentials()
        _ = try await world.apple.emulator.sendNotification([
            "type": "consent-revoked", "client_id": "com.example.juice",
            "person": "maya@example.com", "malformed": .string(defect),
        ])
        await world.apple.deliverNotifications { body in
            let answer = try await world.notify(body)
            #expect(answer.status == .badRequest)
            #expect(answer.json?["code"]?.stringValue == code)
            #expect(answer.headers[.contentType]?.hasPrefix("application/problem+json") == true)
            return answer.status.code
        }
        #expect(await ledger.notifications.isEmpty)
    }

    @Test("is refused before it is read when it is of another type or too large")
    func content() async throws {
        let form = try await world.notify(
            Data("{}".utf8),
            type: "application/x-www-form-urlencoded"
        )
        #expect(form.status == .unsupportedMediaType)
        #expect(form.json?["code"] == "content_type_unsupported")
        let large = try await world.notify(Data(repeating: 0x20, count: 32 * 1024 + 1))
        #expect(large.status == .contentTooLarge)
        #expect(large.json?["code"] == "content_too_large")
        let asked = try await world.get("/apple/notifications")
        #expect(asked.status == .notFound)
        #expect(await ledger.notifications.isEmpty)
    }

    @Test("waits while Apple's keys are unavailable") func keysAway() async throws {
        _ = try await world.apple.credentials()
        try await world.apple.emulator.stopUsing("maya@example.com", clientID: "com.example.juice")
        try await world.apple.fail(.keys, times: 10)
        await world.apple.deliverNotifications { body in
            let answer = try await world.notify(body)
            #expect(answer.status == .serviceUnavailable)
            #expect(answer.json?["code"] == "apple_keys_unavailable")
            #expect(answer.headers[.retryAfter] != nil)
            return answer.status.code
        }
        await world.apple.emulator.clearFaults()
        world.apple.time.advance(bySeconds: 60)
        #expect(await replica.deliver() == [200])
        #expect(await ledger.notifications.count == 1)
    }
}

extension HelloWorld {
    func notify(_ body: Data, type: String = "application/json") async throws -> TestResponse {
        try await client.execute(
            uri: "/apple/notifications",
            method: .post,
            headers: [.contentType: type],
            body: ByteBuffer(bytes: body)
        )
    }

    /// Lets Apple deliver what is due, and returns the statuses that it got.
    func deliver() async -> [Int] {
        var statuses: [Int] = []
        await apple.deliverNotifications { body in
            let status = try await notify(body).status.code
            statuses.append(status)
            return status
        }
        return statuses
    }
}
