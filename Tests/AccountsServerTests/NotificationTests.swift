import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite(TestServer.lending) struct NotificationTests {
    private let server: TestServer
    init() throws { server = try TestServer.lending.lent.0 }

    private let maya = "maya@example.com"
    private let juice: ClientID = "com.example.juice"

    @Test func stoppingToUseTheAppEndsItsSessions() async throws {
        let token = try await server.token()
        try await server.apple.emulator.stopUsing(maya, clientID: juice)
        let answers = await server.deliver()
        #expect(answers.map(\.status.code) == [200])
        #expect(answers.allSatisfy { $0.text.isEmpty })
        let account = try await server.get("/api/account", token)
        #expect(account.code == "session_invalid")
    }

    @Test func forwardingShowsAtTheAddress() async throws {
        let credential = try await server.apple.credentials(hidesEmail: true)
        let answer = try await server.signInNatively(credential)
        let token = try #require(answer.json?["token"]?.stringValue)
        try await server.apple.emulator.setForwarding(maya, clientID: juice, enabled: false)
        await server.deliver()
        let account = try await server.get("/api/account", token)
        #expect(account.json?["emailDeliverable"] == false)
        #expect(account.json?["apple"]?.objectValue?["revokedAt"] == .null)
        let page = try await server.page("/", token)
        #expect(page.text.contains("forwarding is turned off"))
    }

    @Test func strangersAndUnknownKindsHearTheSameAsPeople() async throws {
        for kind in ["account-deleted", "something-new"] {
            _ = try await server.apple.emulator.sendNotification([
                "type": .string(kind), "sub": "000009.eve", "client_id": .string(juice.rawValue),
            ])
        }
        let answers = await server.deliver()
        #expect(answers.map(\.status.code) == [200, 200])
        #expect(answers.allSatisfy { $0.text.isEmpty })
    }

    @Test func forgedOnesAreRefusedWithACode() async throws {
        let token = try await server.token()
        for defect in ["bad_signature", "wrong_audience", "expired", "not_json"] {
            _ = try await server.apple.emulator.sendNotification([
                "type": "account-deleted", "person": .string(maya),
                "client_id": .string(juice.rawValue), "malformed": .string(defect),
            ])
        }
        let answers = await server.deliver()
        #expect(answers.map(\.status.code) == [400, 400, 400, 400])
        #expect(
            answers.map(\.code) == [
                "token_signature_invalid", "token_audience_mismatch", "token_expired",
                "notification_malformed",
            ]
        )
        let account = try await server.get("/api/account", token)
        #expect(account.status == .ok)
    }

    @Test func otherContentIsRefusedUnread() async throws {
        let form = try await server.send(.post, "/apple/notifications", body: "payload=a")
        #expect(form.code == "content_type_unsupported")
        let large = try await server.send(
            .post,
            "/apple/notifications",
            .json,
            body: String(repeating: " ", count: 32 * 1024 + 1)
        )
        #expect(large.code == "content_too_large")
        let asked = try await server.send(.get, "/apple/notifications")
        #expect(asked.code == "method_not_allowed")
    }

    @Test func failingStoreIsToldOfAgain() async throws {
        let token = try await server.token()
        try await server.apple.emulator.stopUsing(maya, clientID: juice)
        try await server.setStore(isReadOnly: true)
        #expect(await server.deliver().map(\.code) == ["store_unavailable"])
        try await server.setStore(isReadOnly: false)
        server.apple.time.advance(bySeconds: 60)
        #expect(await server.deliver().map(\.status.code) == [200])
        let account = try await server.get("/api/account", token)
        #expect(account.status == .unauthorized)
    }
}

extension TestServer {
    /// Lets Apple deliver due notifications; returns the responses that it got.
    @discardableResult
    func deliver() async -> [TestResponse] {
        var answers: [TestResponse] = []
        await apple.deliverNotifications { body in
            let text = String(decoding: body, as: UTF8.self)
            let answer = try await send(.post, "/apple/notifications", .json, body: text)
            answers.append(answer)
            return answer.status.code
        }
        return answers
    }
}
