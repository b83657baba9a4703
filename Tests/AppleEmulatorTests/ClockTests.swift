import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@Suite("A clock moved back") final class ClockTests: BoxSuite {
    @Test("What was made later is gone, what was made before stays") func forgotten() async throws {
        let early = try await box.code()
        try await box.advance(bySeconds: 100)
        let late = try await box.code()
        let page = await box.authorize()
        try await box.advance(bySeconds: -50)
        #expect(try await box.exchange(late)["error"] == "invalid_grant")
        #expect(try await box.exchange(early).status == 200)
        #expect(await box.step(page, "cancel").status == 400)
    }

    @Test("Responses have the date of the moved clock") func date() async throws {
        try await box.advance(bySeconds: 86_400)
        let date = await box.send(.get, "/auth/keys").header("Date")
        #expect(date.flatMap { Date(httpText: $0) } == box.time.now.addingTimeInterval(86_400))
        #expect(box.apple.shownTime.now == box.time.now.addingTimeInterval(86_400))
    }

    @Test("A day or a time that does not exist is refused") func noSuchTime() async throws {
        let times: [JSONValue] = [
            "2026-02-30T00:00:00Z", "2026-04-31T00:00:00Z", "2025-02-29T12:00:00.5Z",
            "2026-13-01T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T12:99:00Z",
            "2026-01-01T12:00:60Z",
        ]
        await box.expectRefused(times.map { (["now": $0], "now") }) {
            try await box.apple.moveClock($0)
        }
        _ = try await box.apple.moveClock(["now": "2028-02-29T00:00:00Z"])
    }

    @Test(
        "No number moves the clock too far, and none ends the process",
        arguments: ["advance_seconds", "now"]
    )
    func farAway(field: String) async throws {
        let numbers: [JSONValue] = [
            .integer(.max), .integer(.min), .number(1e308), .number(-1e308), .number(1e19),
        ]
        try await box.advance(bySeconds: 3_000_000_000)
        let mistakes = numbers.map { (JSONObject([.init(name: field, value: $0)]), field) }
        await box.expectRefused(mistakes) { try await box.apple.moveClock($0) }
        try await box.advance(bySeconds: -6_000_000_000)
        #expect(try await box.signInOnTheWeb()["code"] != nil)
    }

    @Test("An access token made later revokes nothing") func accessToken() async throws {
        let code = try await box.code()
        try await box.advance(bySeconds: 60)
        let tokens = try await box.exchange(code)
        try await box.advance(bySeconds: -30)
        _ = try await box.revoke(tokens["access_token"])
        #expect(try await box.refresh(tokens["refresh_token"]).status == 200)
    }

    @Test("auth_time is never after iat, also when the machine's own clock goes back")
    func authenticationTime() async throws {
        let code = try await box.code()
        box.time.advance(bySeconds: -20)
        let claims = TokenText(try await box.exchange(code)["id_token"]).claims
        #expect(claims["auth_time"] == claims["iat"])
    }
}
