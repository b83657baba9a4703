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
        takesSecureByHTTP: Bool = true,
        from url: URL? = nil
    ) -> CookieJar {
        var jar = CookieJar()
        jar.rules = rules
        jar.takesSecureByHTTP = takesSecureByHTTP
        let headers = fields.map { (name: "Set-Cookie", value: $0) }
        let answer = WebAnswer(url: url ?? page, status: 200, headers: headers, body: Data())
        jar.store(answer, at: now)
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

    @Test("A Max-Age that is too large is clamped, and one with a plus sign is ignored")
    func unusualMaximumAge() {
        let digits = String(repeating: "9", count: 30)
        let past = "Expires=Thu, 01 Jan 1970 00:00:00 GMT"
        #expect(jar("a=1; Max-Age=\(digits); \(past)").field(for: page, .sameSite) == "a=1")
        #expect(jar("a=1; Max-Age=-\(digits)").field(for: page, .sameSite) == nil)
        #expect(jar("a=1; Max-Age=+5; \(past)").field(for: page, .sameSite) == nil)
    }

    @Test("A cookie for a domain is sent to its subdomains, another one to its host only")
    func domains() throws {
        let site = try #require(URL(string: "https://a.example.com/x/y"))
        let jar = jar(
            "a=1; Domain=example.com",
            "b=2; Domain=.Example.com",
            "c=3",
            "d=4; Domain=other.com",
            "e=5; Domain=com",
            from: site
        )
        let expected: [(address: String, field: String?)] = [
            ("https://a.example.com/x/z", "a=1; b=2; c=3"), ("https://b.example.com/x", "a=1; b=2"),
            ("https://badexample.com/x", nil), ("https://a.example.com/xy", nil),
        ]
        for (address, field) in expected {
            let url = try #require(URL(string: address))
            #expect(jar.field(for: url, .sameSite) == field, "\(address)")
        }
    }

    @Test("A prefix of the name in any case requires its attributes")
    func prefixes() throws {
        let kept = jar("__Host-a=1; Secure; Path=/", "__Secure-b=2; Secure")
        #expect(kept.field(for: page, .sameSite) == "__Host-a=1; __Secure-b=2")
        for field in [
            "__host-a=1; Path=/", "__Host-a=1; Secure", "__Host-a=1; Secure; Path=/account",
            "__SECURE-b=2",
        ] { #expect(jar(field).field(for: page, .sameSite) == nil, "\(field)") }
        let site = try #require(URL(string: "https://a.example.com/"))
        let shared = jar("__Host-a=1; Secure; Path=/; Domain=example.com", from: site)
        #expect(shared.field(for: site, .sameSite) == nil)
    }

    @Test("Spaces around a name and a value are dropped, and long cookies are refused")
    func spelling() {
        #expect(jar("a = 1 ; Path=/").field(for: page, .sameSite) == "a=1")
        let value = String(repeating: "x", count: 4095)
        #expect(jar("a=\(value)").field(for: page, .sameSite) == "a=\(value)")
        #expect(jar("ab=\(value)").field(for: page, .sameSite) == nil)
    }

    @Test("A refused cookie does not replace another one")
    func refused() {
        #expect(jar("a=1", "a=2; SameSite=None").field(for: page, .sameSite) == "a=1")
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
