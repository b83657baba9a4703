import AppleEmulator
import AppleIdentity
import HTTPTypes
import Testing

@Suite("A changed password") struct PasswordTests {
    private let box: Box

    init() async throws { box = try await Box() }

    private let change: JSONObject = ["password": "pear"]

    @Test("Refresh tokens end, of every app; codes stay good, and consent too")
    func refreshTokens() async throws {
        let token = try #require(try await box.tokens()["refresh_token"])
        let waiting = try await box.code()
        try await box.apple.changePassword(of: Box.maya, change)
        #expect(try await box.refresh(token)["error"] == "invalid_grant")
        let next = try await box.exchange(waiting)
        #expect(try await box.refresh(next["refresh_token"]).status == 200)
        #expect(try await box.state() == "authorized")
        #expect(await box.notifications().isEmpty)
    }

    @Test("Tokens stay when that is asked for, and those of others always do")
    func keptTokens() async throws {
        let token = try #require(try await box.tokens()["refresh_token"])
        try await box.apple.changePassword(of: "noah@example.com", change)
        #expect(try await box.refresh(token).status == 200)
        let keeping: JSONObject = ["password": "plum", "keep_tokens": true]
        try await box.apple.changePassword(of: Box.maya, keeping)
        #expect(try await box.refresh(token).status == 200)
    }

    @Test("Browsers are signed out, also in the midst of a sheet; the new password signs in")
    func browsers() async throws {
        let open = await box.signIn(await box.authorize())
        let cookie = open.cookie
        try await box.apple.changePassword(of: Box.maya, change)
        let stale = await box.step(open, "continue", Box.consent)
        #expect(stale.status == 400 && stale.hiddenFields["code"] == nil)
        let page = await box.authorize(headers: [.cookie: cookie ?? ""])
        #expect(page.asksPassword)
        let wrong = await box.signIn(page)
        #expect(wrong.consent == nil)
        let right = await box.signIn(await box.authorize(), password: "pear")
        #expect(right.consent != nil)
    }

    @Test("A reset brings the seed's password back") func reset() async throws {
        try await box.apple.changePassword(of: Box.maya, change)
        try await box.apple.reset()
        #expect(await box.signIn(await box.authorize()).consent != nil)
    }

    @Test("Wrong fields are named, and so is who is not there") func wrong() async {
        func expect(
            _ mistakes: [(JSONObject, String)],
            _ kind: ControlRefusal.Kind,
            of email: String = Box.maya
        ) async {
            await box.expectRefused(mistakes, kind: kind) {
                try await box.apple.changePassword(of: email, $0)
            }
        }
        await expect(
            [
                ([:], "password"), (["password": 1], "password"), (["password": ""], "password"),
                (["password": "x", "keep_tokens": "no"], "keep_tokens"),
            ],
            .wrongField
        )
        await expect([(["password": "x", "colour": "red"], "colour")], .unknownField)
        await expect([(change, "email")], .notFound, of: "nobody@example.com")
        #expect(await box.signIn(await box.authorize()).consent != nil)
    }
}
