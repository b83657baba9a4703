import Foundation
import Testing

@testable import SignInChecks

@Suite("The cookies of the check's browser") struct CookieJarTests {
    private static let site = URL(filePath: "/")
    private let page = URL(string: "http://localhost:8080/account/page") ?? Self.site

    private let now = Date(timeIntervalSince1970: 1_795_000_000)

    private func jar(
        _ fields: String...,
        rules: SameSiteRules = .silenceIsNone,
        takesSecureByHTTP: Bool = true
    ) -> CookieJar {
        var jar = CookieJar()
        jar.rules = rules
        jar.takesSecureByHTTP = takesSecureByHTTP
        let headers = fields.map { (name: "Set-Cookie", value: $0) }
        jar.store(WebAnswer(url: page, status: 200, headers: headers, body: Data()), at: now)
        return jar
    }

    @Test(
        "A past time in any format removes a cookie",
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", true), ("Thu, 01-Jan-1970 00:00:01 GMT", true),
            ("Thu, 01-Jan-70 00:00:01 GMT", true), ("Mon, 20 Jul 2020 04:23:00 UTC", true),
            ("Fri Nov 20 10:00:00 2026", false), ("Wed, 18 Nov 2026 10:00:00 GMT", true),
            ("Tue, 19 Jan 2038 03:14:07 GMT", false), ("Mon, 01 Jan 2029 00:00:00 GMT", false),
            ("soon", false), ("0", false), ("Thu, 01 Jan 1500 00:00:00 GMT", false),
        ]
    )
    func expires(text: String, isOver: Bool) {
        let kept = jar("a=1", "a=2; Expires=\(text)").field(for: page, .sameSite)
        #expect(kept == (isOver ? nil : "a=2"))
    }

    @Test("Max-Age takes precedence over Expires in any order")
    func maximumAge() {
        let past = "Expires=Thu, 01 Jan 1970 00:00:00 GMT"
        #expect(jar("a=1; Max-Age=60; \(past)").field(for: page, .sameSite) == "a=1")
        #expect(jar("a=1; \(past); Max-Age=60").field(for: page, .sameSite) == "a=1")
        let future = "Expires=Tue, 19 Jan 2038 03:14:07 GMT"
        #expect(jar("a=1; Max-Age=0; \(future)").field(for: page, .sameSite) == nil)
    }

    @Test("Chromium accepts a Secure cookie from this machine over HTTP, and Safari does not")
    func safari() {
        let fields = "a=1; Secure"
        #expect(jar(fields, "b=2").field(for: page, .sameSite) == "a=1; b=2")
        let safari = jar(fields, "b=2", takesSecureByHTTP: false)
        #expect(safari.field(for: page, .sameSite) == "b=2")
    }

    @Test("A form of another site sends SameSite=None cookies and those without SameSite")
    func crossSite() {
        let jar = jar(
            "a=1; SameSite=None; Secure",
            "b=2; SameSite=Lax",
            "c=3; SameSite=Strict",
            "d=4"
        )
        #expect(jar.field(for: page, .crossSitePost) == "a=1; d=4")
        #expect(jar.field(for: page, .crossSiteGet) == "a=1; b=2; d=4")
        #expect(jar.field(for: page, .sameSite) == "a=1; b=2; c=3; d=4")
    }

    @Test("After two minutes Chromium treats a cookie without SameSite as Lax")
    func silence() {
        let jar = jar("a=1; SameSite=None; Secure", "d=4", rules: .silenceIsLax)
        #expect(jar.field(for: page, .crossSitePost) == "a=1")
        #expect(jar.field(for: page, .crossSiteGet) == "a=1; d=4")
    }

    @Test("SameSite=None without Secure is refused, except by the lenient browser")
    func noneWithoutSecure() {
        #expect(jar("a=1; SameSite=None").field(for: page, .sameSite) == nil)
        let lenient = jar("a=1; SameSite=None", "b=2; SameSite=Strict", rules: .ignored)
        #expect(lenient.field(for: page, .crossSitePost) == "a=1; b=2")
    }

    @Test("Path, expiry and replacement apply; Secure stays on this machine and TLS")
    func rules() throws {
        #expect(jar("a=1; Path=/admin").field(for: page, .sameSite) == nil)
        #expect(jar("a=1; Path=/account").field(for: page, .sameSite) == "a=1")
        #expect(jar("a=1", "a=2").field(for: page, .sameSite) == "a=2")
        #expect(jar("a=1", "a=; Max-Age=0").field(for: page, .sameSite) == nil)
        #expect(jar("nonsense").field(for: page, .sameSite) == nil)
        let plain = try #require(URL(string: "http://a.example/"))
        var secure = CookieJar()
        secure.store(
            WebAnswer(
                url: plain,
                status: 200,
                headers: [("set-cookie", "a=1; Secure")],
                body: Data()
            ),
            at: now
        )
        #expect(secure.field(for: plain, .sameSite) == nil)
        let safe = try #require(URL(string: "https://a.example/"))
        #expect(secure.field(for: safe, .sameSite) == "a=1")
    }
}
