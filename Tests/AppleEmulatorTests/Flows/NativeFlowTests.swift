import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Testing

@Suite("Flows of apps, and of notifications") struct NativeFlowTests {
    private static let changes = ["client_id": Box.app, "redirect_uri": nil]

    private static func told() async throws -> Box {
        try await Box { $0.apps[0].notificationURL = "https://juice.example.com/n" }
    }

    private func exchange(_ box: Box) async throws -> Reply {
        let code = try await box.credentials()["authorization_code"]?.stringValue
        var changes = Self.changes
        changes["client_secret"] = try box.secret(claims: ["sub": .string(Box.app)])
        return try await box.exchange(try #require(code), changes)
    }

    @Test("A device begins a flow, and its code leads back to it") func device() async throws {
        let box = try await Box()
        _ = try await box.credentials(["nonce": "n-7"])
        #expect(await box.flowStates() == ["authorized"])
        #expect(try await exchange(box).status == 200)
        let flow = try await box.lastFlow()
        #expect(
            flow.story == [
                "app > apple: requests authorization on the device",
                "app > server: sends authorization_code", "server > apple: exchanges the code",
            ]
        )
        #expect(flow["kind"] == "native")
        #expect(flow["state"] == "signed_in")
        #expect(flow.steps[1]["seen_by_apple"] == false)
        #expect(flow.steps[0].claims(of: "identity_token")["aud"]?.stringValue == Box.app)
    }

    @Test("A credential that is refused on the control port begins nothing")
    func refusedCredential() async throws {
        let box = try await Box()
        _ = try? await box.credentials(["client_id": "com.example.unknown"])
        #expect(await box.apple.flows().isEmpty)
        _ = await box.authorize()
        #expect(try await box.lastFlow().steps.count == 1)
    }

    @Test("A notification and its attempts join the person's latest flow")
    func notification() async throws {
        let box = try await Self.told()
        _ = try await box.signInOnTheWeb()
        _ = try await box.tokens()
        try await box.apple.stopUsing(Box.maya, clientID: ClientID(Box.web))
        await box.answerDue(500, body: "no <i>thanks</i>")
        try await box.advance(bySeconds: 3_600)
        await box.answerDue(200)
        let flow = try await box.lastFlow()
        #expect(await box.flowStates() == ["expired", "revoked"])
        #expect(
            flow.story.suffix(3) == [
                "apple > apple: notification 1: consent-revoked",
                "apple > server: delivers notification 1",
                "apple > server: delivers notification 1",
            ]
        )
        let steps = flow.steps.suffix(3)
        #expect(steps.first?.claims(of: "payload")["aud"]?.stringValue == Box.app)
        #expect(steps.dropFirst().first?["reason"] == "the server did not accept it")
        #expect(flow.lastStep["answer"] == "received")
        #expect(flow.lastStep["wire"] == "POST https://juice.example.com/n")
        #expect(try await box.everythingShown().contains("no <i>thanks</i>"))
    }

    @Test("A notification of a revocation comes behind the request that caused it")
    func revocation() async throws {
        let box = try await Self.told()
        try await box.changeSettings(["on_revocation": true])
        let tokens = try await box.tokens()
        _ = try await box.signInOnTheWeb()
        _ = try await box.revoke(tokens["refresh_token"])
        let id = await box.apple.flows()[0]["id"]?.stringValue ?? ""
        let story = try await box.apple.flow(id: id).story
        #expect(story.suffix(2).first == "server > apple: revokes a token")
        #expect(story.last == "apple > apple: notification 1: consent-revoked")
    }

    @Test("A notification that cannot be sent says why; one about a stranger joins nothing")
    func unsent() async throws {
        let box = try await Box { $0.apps[0].notificationURL = nil }
        _ = try await box.signInOnTheWeb()
        try await box.apple.stopUsing(Box.maya, clientID: ClientID(Box.web))
        let step = try await box.lastFlow().lastStep
        #expect(step["reason"] == "the primary app has no notification_url")
        try await box.notify()
        #expect(await box.apple.flows().count == 1)
        #expect(try await box.lastFlow().lastStep["number"] == step["number"])
    }
}
