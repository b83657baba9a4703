import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@Suite("A sheet belongs to the browser and to the moment it was shown to")
struct SheetBindingTests {
    private let box: Box

    init() async throws { box = try await Box() }

    private static let path = "/auth/authorize/sheet"

    private func fields(
        _ page: Reply,
        _ action: String,
        _ more: [String: String] = [:]
    ) -> [String: String] {
        ["transaction": page.hiddenFields["transaction"] ?? "", "action": action]
            .merging(more) { $1 }
    }

    private func signIn(_ page: Reply) async -> Reply {
        await box.post(
            Self.path,
            fields(page, "sign-in", ["email": "maya@example.com", "password": "apple"])
        )
    }

    private static let answers = ["given_name": "Maya", "email_choice": "share"]

    @Test("The first page marks the browser, out of reach of scripts and other sites")
    func mark() async throws {
        let cookie = await box.authorize().header("Set-Cookie")
        #expect(
            cookie?.wholeMatch(
                of:
                    /emulated-apple-browser=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure/
            ) != nil
        )
        let plain = await box.send(
            .get,
            "/auth/authorize?" + Box.encode(Box.authorizeFields),
            scheme: "http",
            from: CookieJar()
        )
        #expect(plain.header("Set-Cookie")?.contains("Secure") == false)
    }

    @Test("Another browser neither carries a sign-in on nor ends it")
    func otherBrowser() async throws {
        let page = await box.authorize()
        let other = CookieJar()
        _ = await box.send(.get, "/auth/authorize?" + Box.encode(Box.authorizeFields), from: other)
        #expect(other.cookie != nil && other.cookie != box.browser.cookie)
        for stranger in [CookieJar(), other] {
            for action in ["sign-in", "cancel", "switch-account"] {
                let person = ["email": "maya@example.com", "password": "apple"]
                let reply = await box.post(Self.path, fields(page, action, person), from: stranger)
                #expect(reply.status == 400)
                #expect(reply.header("Set-Cookie") == nil)
            }
        }
        let sheet = await signIn(page)
        #expect(sheet.status == 200)
        let stolen = await box.post(
            Self.path,
            fields(sheet, "continue", Self.answers),
            from: CookieJar()
        )
        #expect(stolen.hiddenFields["code"] == nil)
        let own = await box.post(Self.path, fields(sheet, "continue", Self.answers))
        #expect(own.hiddenFields["code"] != nil)
    }

    @Test(
        "A form of another site is refused",
        arguments: [("cross-site", 400), ("same-site", 400), ("same-origin", 200), ("none", 200)]
    )
    func crossSiteForm(site: String, status: Int) async throws {
        let page = await box.authorize()
        let name = try #require(HTTPField.Name("Sec-Fetch-Site"))
        let person = ["email": "maya@example.com", "password": "apple"]
        let reply = await box.send(
            .post,
            Self.path,
            body: Box.encode(fields(page, "sign-in", person)),
            headers: [name: site]
        )
        #expect(reply.status == status)
    }

    @Test("Two tabs of one browser go on side by side") func tabs() async throws {
        let (first, second) = (await box.authorize(), await box.authorize())
        #expect(second.header("Set-Cookie") == nil)
        #expect(await signIn(first).status == 200)
        #expect(await signIn(second).status == 200)
    }

    @Test("A mark this emulator would not make is replaced") func strangeMark() async throws {
        let page = await box.authorize(headers: [.cookie: "emulated-apple-browser=x"])
        #expect(page.cookie?.hasPrefix("emulated-apple-browser=") == true)
    }

    @Test("Who stopped using the app while the short sheet was open is asked again")
    func consentEnded() async throws {
        let sheet = await signIn(await box.authorize())
        let cookie = sheet.cookie ?? ""
        let hiding = Self.answers.merging(["email_choice": "hide"]) { $1 }
        _ = await box.post(Self.path, fields(sheet, "continue", hiding))
        let short = await box.authorize(headers: [.cookie: cookie])
        #expect(short.returning != nil)
        try await box.apple.stopUsing("maya@example.com", clientID: Box.web)
        let asked = await box.post(Self.path, fields(short, "continue"))
        #expect(asked.status == 400)
        #expect(asked.hiddenFields["code"] == nil)
        #expect(asked.consent != nil && asked.problem == .consentUnanswered)
        let answer = await box.post(Self.path, fields(asked, "continue", hiding))
        #expect(answer.hiddenFields["user"]?.contains("privaterelay") == true)
    }
}
