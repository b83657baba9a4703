import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import HTTPTypes
import Testing

// Fidelity: sheet-2
@Suite("Flows of the web") final class WebFlowTests: BoxSuite {
    @Test("A sign-in by the sheet is one flow, from the first request to the tokens")
    func wholeSheet() async throws {
        let asked = await box.authorize()
        let consent = await box.signIn(asked)
        let answer = await box.step(consent, "continue", Box.consent)
        let code = try #require(answer.hiddenFields["code"])
        _ = try await box.exchange(code)
        #expect(await box.apple.flows().count == 1)
        let flow = try await box.lastFlow()
        #expect(
            flow.story == [
                "browser > apple: requests authorization",
                "browser > apple: submits email address and password", "browser > apple: consents",
                "browser > server: sends code, id_token, user",
                "server > apple: exchanges the code",
            ]
        )
        #expect(flow["state"] == "signed_in")
        #expect(flow["kind"] == "web")
        #expect(flow["person"] == "maya@example.com")
        #expect(flow["client_id"]?.stringValue == Box.web)
        #expect(flow["refusals"] == 0)
        #expect(flow.steps[0]["answer"] == "page: email address and password")
        #expect(flow.steps[1]["answer"] == "page: share name and email?")
        #expect(flow.steps[2]["answer"] == "form with code, id_token, user")
        #expect(flow.steps[3]["seen_by_apple"] == false)
        #expect(flow.steps[3]["wire"]?.stringValue == "POST " + Box.callback)
        #expect(flow.lastStep["answer"] == "id_token, access_token, refresh_token")
        #expect(flow.lastStep.claims(of: "id_token")["nonce"] == "n-1")
        #expect(flow.lastStep.claims(of: "client_secret")["sub"]?.stringValue == Box.web)
    }

    @Test("Refreshes, a revocation and its consequences stay in the flow of the grant")
    func life() async throws {
        for _ in 0..<2 {
            let tokens = try await box.tokens()
            let refresh = try #require(tokens["refresh_token"])
            _ = try await box.refresh(refresh)
            _ = try await box.revoke(refresh)
            #expect(try await box.refresh(refresh)["error"] == "invalid_grant")
        }
        #expect(await box.apple.flows().count == 2)
        let flow = try await box.lastFlow()
        #expect(
            flow.story.suffix(4) == [
                "server > apple: exchanges the code", "server > apple: validates the refresh token",
                "server > apple: revokes a token", "server > apple: validates the refresh token",
            ]
        )
        #expect(flow["state"] == "revoked")
        #expect(flow["refusals"] == 1)
        #expect(flow.lastStep["refused"] == true)
        #expect(flow.lastStep["reason"]?.stringValue?.contains("was revoked") == true)
    }

    @Test("A revocation by access token finds the flow too") func accessToken() async throws {
        let tokens = try await box.tokens()
        let access = try #require(tokens["access_token"])
        _ = try await box.revoke(access)
        #expect(await box.flowStates() == ["revoked"])
    }

    @Test("A person who says no ends the flow") func cancelled() async throws {
        _ = await box.step(await box.authorize(), "cancel")
        let flow = try await box.lastFlow()
        #expect(flow["state"] == "cancelled")
        #expect(flow.story.last == "browser > server: sends error")
        #expect(flow.lastStep["parameters"]?.objectValue?["error"] == "user_cancelled_authorize")
    }

    @Test("Wrong passwords and codes are refused steps of a sheet that continues")
    func wrongPassword() async throws {
        let box = try await Box { $0.people[0].hasTwoFactor = true }
        let asked = await box.authorize()
        _ = await box.step(asked, "sign-in", ["email": Box.maya, "password": "pear-tree"])
        let digits = await box.signIn(asked)
        _ = await box.step(digits, "two-factor", ["code": "97531"])
        let flow = try await box.lastFlow()
        #expect(flow.steps.map { $0["status"]?.integerValue } == [200, 403, 200, 403])
        #expect(flow.steps[1]["reason"] == "the password is wrong")
        #expect(flow.steps[2]["answer"] == "page: six-digit code")
        #expect(flow.steps[3]["reason"] == "the verification code is wrong")
        let shown = try await box.everythingShown()
        #expect(!shown.contains("pear-tree") && !shown.contains("97531"))
    }

    @Test(
        "Each response mode is shown as it is sent",
        arguments: [
            ("query", "code", "GET \(Box.callback)", "server"),
            ("fragment", "code id_token", "GET \(Box.callback)#…", "server"),
            ("web_message", "code", "postMessage to https://juice.example.com", "browser"),
        ]
    )
    func modes(mode: String, type: String, wire: String, lane: String) async throws {
        try await box.decide()
        _ = await box.authorize(["response_mode": mode, "response_type": type, "scope": nil])
        let step = try await box.lastFlow().lastStep
        #expect(step["wire"]?.stringValue == wire)
        #expect(step["from"] == "browser")
        #expect(step["to"]?.stringValue == lane)
    }

    @Test("A sheet or a code that is not used in time makes the flow expired")
    func expired() async throws {
        _ = try await box.tokens()
        try await box.advance(bySeconds: 86_400)
        #expect(await box.flowStates() == ["signed_in"])
        _ = await box.authorize()
        try await box.advance(bySeconds: 599)
        #expect(await box.flowStates().last == "open")
        try await box.advance(bySeconds: 1)
        #expect(await box.flowStates().last == "expired")
        try await box.decide()
        _ = await box.authorize()
        try await box.advance(bySeconds: 299)
        #expect(await box.flowStates().last == "authorized")
        try await box.advance(bySeconds: 1)
        #expect(await box.flowStates().last == "expired")
    }

    @Test("Documents, migration and HEAD belong to no sign-in") func elsewhere() async throws {
        _ = await box.send(.get, "/auth/keys")
        _ = await box.send(.get, "/.well-known/openid-configuration")
        _ = await box.send(.get, "/account")
        _ = await box.authorize(method: .head)
        let fields = [
            "grant_type": "client_credentials", "scope": "user.migration",
            "client_id": Box.web, "client_secret": try box.secret(),
        ]
        _ = await box.post("/auth/token", fields)
        #expect(await box.apple.flows().isEmpty)
    }
}
