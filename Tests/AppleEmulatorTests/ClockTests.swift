import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@Suite("A clock moved back") struct ClockTests {
    private let box: Box

    init() async throws { box = try await Box() }

    private func move(by seconds: Int) async throws {
        _ = try await box.apple.moveClock(["advance_seconds": .integer(seconds)])
    }

    @Test("What was made later is gone, what was made before stays") func forgotten() async throws {
        let early = try #require(try await box.signInOnTheWeb()["code"])
        try await move(by: 100)
        let late = try #require(try await box.signInOnTheWeb()["code"])
        let page = await box.authorize()
        try await move(by: -50)
        #expect(try await box.exchange(late)["error"] == "invalid_grant")
        #expect(try await box.exchange(early).status == 200)
        let reply = await box.post(
            "/auth/authorize/sheet",
            ["transaction": page.hiddenFields["transaction"] ?? "", "action": "cancel"]
        )
        #expect(reply.status == 400)
    }

    @Test(
        "A day that the month does not have is refused",
        arguments: [
            "2026-02-30T00:00:00Z", "2026-04-31T00:00:00Z", "2025-02-29T12:00:00.5Z",
            "2026-13-01T00:00:00Z",
        ]
    )
    func noSuchDay(text: String) async throws {
        let error = await #expect(throws: ControlRefusal.self) {
            try await box.apple.moveClock(["now": .string(text)])
        }
        #expect(error?.field == "now")
        _ = try await box.apple.moveClock(["now": "2028-02-29T00:00:00Z"])
    }

    @Test(
        "No number moves the clock too far, and none ends the process",
        arguments: ["advance_seconds", "now"],
        [
            .integer(.max), .integer(.min), .number(1e308), .number(-1e308), .number(1e19),
        ] as [JSONValue]
    )
    func farAway(field: String, value: JSONValue) async throws {
        try await move(by: 3_000_000_000)
        let error = await #expect(throws: ControlRefusal.self) {
            try await box.apple.moveClock(JSONObject([.init(name: field, value: value)]))
        }
        #expect(error?.field == field)
        try await move(by: -6_000_000_000)
        #expect(try await box.signInOnTheWeb()["code"] != nil)
    }

    @Test("A browser signed in later asks for the password again") func session() async throws {
        try await move(by: 1_000)
        let page = await box.authorize()
        let sheet = await box.post(
            "/auth/authorize/sheet",
            [
                "transaction": page.hiddenFields["transaction"] ?? "", "action": "sign-in",
                "email": "maya@example.com", "password": "apple",
            ]
        )
        let cookie = try #require(sheet.cookie)
        #expect(await !box.authorize(headers: [.cookie: cookie]).asksPassword)
        try await move(by: -1_000)
        #expect(await box.authorize(headers: [.cookie: cookie]).asksPassword)
    }

    @Test("An access token made later revokes nothing") func accessToken() async throws {
        let code = try #require(try await box.signInOnTheWeb()["code"])
        try await move(by: 60)
        let tokens = try await box.exchange(code)
        try await move(by: -30)
        _ = await box.post(
            "/auth/revoke",
            [
                "client_id": Box.web, "client_secret": try box.secret(),
                "token": tokens["access_token"] ?? "",
            ]
        )
        #expect(try await box.refresh(tokens["refresh_token"] ?? "").status == 200)
    }

    @Test("auth_time is never after iat, also when the machine's own clock goes back")
    func authenticationTime() async throws {
        let code = try #require(try await box.signInOnTheWeb()["code"])
        box.time.advance(bySeconds: -20)
        let claims = TokenText(try await box.exchange(code)["id_token"] ?? "").claims
        #expect(claims["auth_time"] == claims["iat"])
    }
}
