import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import ServerTestSupport
import Testing

/// Apple sends the name once: whatever fails, the name is not lost.
@Suite(TestServer.lending) struct NameTests {
    private let (server, browser): (TestServer, TestBrowser)
    init() throws { (server, browser) = try TestServer.lending.lent }

    private func replaced(_ name: String, in body: String) -> String {
        let user = "{\"name\":{\"firstName\":\"\(name)\",\"lastName\":\"\"}}"
        let others = body.split(separator: "&").filter { !$0.hasPrefix("user=") }
        return (others.map(String.init) + [TestBrowser.form([("user", user)])])
            .joined(separator: "&")
    }

    @Test(arguments: ["a", "🍊"])
    func nameOfTenThousandCharactersConsumesNothing(_ character: String) async throws {
        let callback = try await browser.callback()
        let body = String(decoding: callback.formBody, as: UTF8.self)
        let long = String(repeating: character, count: 10_000)
        let refused = try await browser.postCallback(replaced(long, in: body))
        expectRefusal(refused, .unprocessableContent, "name_too_long")
        #expect(try await browser.postCallback(replaced("May", in: body)).status == .seeOther)
        #expect(try await browser.get("/").text.contains("Hello, May<"))
    }

    @Test func refusedNameCanBeShortenedOnThePage() async throws {
        let callback = try await browser.callback()
        let body = String(decoding: callback.formBody, as: UTF8.self)
        let long = String(repeating: "a", count: 201)
        let page = try await browser.postCallback(replaced(long, in: body))
        let token = try #require(callback["id_token"])
        #expect(!page.text.contains(token))
        var fields = RepeatForm.fields(of: page.text)
        fields.append(("name", "Maya L."))
        let answer = try await browser.post("/sign-in/apple/callback/again", fields)
        #expect(answer.status == .seeOther, "\(answer.text)")
        #expect(try await browser.get("/").text.contains("Hello, Maya L."))
    }

    @Test(arguments: [
        #"{"name":{"firstName":"Maya","lastName":5}}"#, "Maya", "null", #"{"name":"Maya"}"#,
        #"{"name":{"firstName":"Maya"},"email":"\#(String(repeating: "a", count: 70_000))"}"#,
    ])
    func unreadableNameIsAskedForOnThePage(_ user: String) async throws {
        let callback = try await browser.callback()
        let fields = callback.fields.map { ($0.name, $0.value) }.filter { $0.0 != "user" }
        let body = TestBrowser.form(fields + [("user", user)])
        try await expectNameAsked(body)
    }

    @Test func duplicateUserFieldIsAskedForOnThePage() async throws {
        let callback = try await browser.callback()
        let body = String(decoding: callback.formBody, as: UTF8.self)
        try await expectNameAsked(body + "&user=%7B%7D&user=%7B%7D")
    }

    private func expectNameAsked(_ body: String) async throws {
        let answer = try await browser.postCallback(body)
        #expect(answer.status == .seeOther, "\(answer.text)")
        #expect(browser.server.log.text.contains("name_unreadable"))
        let page = try await browser.get("/").text
        #expect(page.contains("We do not know your name."))
        _ = try await browser.post("/account/name", [("name", "Maya L.")])
        let named = try await browser.get("/").text
        #expect(named.contains("Hello, Maya L."))
        #expect(!named.contains("We do not know your name."))
    }

    @Test(arguments: [601, 86_000])
    func storeFailingForLongerThanTheSignInMayTakeKeepsTheName(_ seconds: Int) async throws {
        let callback = try await browser.callback(name: PersonName(givenName: "Maya"))
        try await server.setStore(isReadOnly: true)
        let page = try await browser.post(callback)
        #expect(page.code == "store_unavailable")
        let cookie = try #require(page.headers[values: .setCookie].last)
        #expect(cookie.hasPrefix("__Host-siwa-pending-"))
        #expect(cookie.contains("Max-Age=86400;"))
        server.apple.time.advance(bySeconds: TimeInterval(seconds))
        try await server.setStore(isReadOnly: false)
        let fields = RepeatForm.fields(of: page.text)
        let again = try await browser.post("/sign-in/apple/callback/again", fields)
        // Apple's code has expired meanwhile, but the name has been stored.
        #expect(again.code == "apple_refused_grant")
        let second = try await browser.callback()
        #expect(second["user"] == nil)
        #expect(try await browser.post(second).status == .seeOther)
        #expect(try await browser.get("/").text.contains("Hello, Maya"))
    }

    @Test func repeatingEndsAfterADay() async throws {
        let callback = try await browser.callback()
        try await server.setStore(isReadOnly: true)
        let page = try await browser.post(callback)
        server.apple.time.advance(bySeconds: 86_401)
        let fields = RepeatForm.fields(of: page.text)
        let again = try await browser.post("/sign-in/apple/callback/again", fields)
        #expect(again.code == "state_expired")
    }

    @Test func storeFailingAtTheFirstSignInKeepsTheName() async throws {
        let callback = try await browser.callback(name: PersonName(givenName: "Maya"))
        try await server.setStore(isReadOnly: true)
        let page = try await browser.post(callback)
        expectRefusal(page, .serviceUnavailable, "store_unavailable")
        #expect(page.headers[.retryAfter] != nil)
        try await server.setStore(isReadOnly: false)
        let fields = RepeatForm.fields(of: page.text)
        let answer = try await browser.post("/sign-in/apple/callback/again", fields)
        #expect(answer.status == .seeOther, "\(answer.text)")
        #expect(try await browser.get("/").text.contains("Hello, Maya"))
    }

    @Test func storeFailingAtTheFirstNativeSignInKeepsTheName() async throws {
        let credential = try await server.apple.credentials()
        let name = PersonName(givenName: "Maya")
        try await server.setStore(isReadOnly: true)
        let refused = try await server.signInNatively(credential, name: name)
        expectRefusal(refused, .serviceUnavailable, "store_unavailable")
        try await server.setStore(isReadOnly: false)
        let answer = try await server.signInNatively(credential, name: name)
        #expect(answer.status == .created)
        #expect(answer.json?["account"]?.objectValue?["name"] == "Maya")
    }

    @Test func alteredSealedCallbackIsRefused() async throws {
        let fields = [("pending", "0123456789abcdef"), ("callback", "k1.AAAA")]
        let answer = try await browser.post("/sign-in/apple/callback/again", fields)
        #expect(answer.code == "callback_malformed")
        let crossSite = try await browser.post(
            "/sign-in/apple/callback/again",
            fields,
            site: "cross-site"
        )
        #expect(crossSite.code == "cross_site_request")
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "\"\u{301} onfocus=\"alert(1)", "🍊 Maya 👩‍👩‍👧", "O'Hara & Söhne",
        "\u{202E}ayaM",
    ])
    func nameIsShownAsText(_ name: String) async throws {
        try await browser.signIn()
        #expect(try await browser.post("/account/name", [("name", name)]).status == .seeOther)
        let page = try await browser.get("/").text
        #expect(page.components(separatedBy: "<script").count == 2, "one script, the page's own")
        // Browsers count code points, not characters as a reader sees them.
        #expect(!page.unicodeScalars.map(String.init).joined(separator: " ").contains("\" \u{301}"))
        if name.hasPrefix("🍊") { #expect(page.contains("Hello, \(name)")) }
        #expect(!page.unicodeScalars.contains("\u{202E}"))
    }
}
