import Foundation
import Testing

@testable import SignInChecks

@Suite("The cookies of the check's browser") struct CookieJarTests {
    private static let site = URL(filePath: "/")
    private let page = URL(string: "http://localhost:8080/account/page") ?? Self.site

    private func jar(_ fields: String..., rules: SameSiteRules = .silenceIsNone) -> CookieJar {
        var jar = CookieJar()
        jar.rules = rules
        jar.take(
            WebAnswer(
                url: page,
                status: 200,
                headers: fields.map { ("Set-Cookie", $0) },
                body: Data()
            )
        )
        return jar
    }

    @Test("A form of another site brings the cookies of SameSite=None along, and those of none")
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

    @Test("After two minutes Chromium takes a cookie that says nothing for Lax")
    func silence() {
        let jar = jar("a=1; SameSite=None; Secure", "d=4", rules: .silenceIsLax)
        #expect(jar.field(for: page, .crossSitePost) == "a=1")
        #expect(jar.field(for: page, .crossSiteGet) == "a=1; d=4")
    }

    @Test("SameSite=None without Secure is refused, as browsers do, but for a lenient browser")
    func noneWithoutSecure() {
        #expect(jar("a=1; SameSite=None").field(for: page, .sameSite) == nil)
        let lenient = jar("a=1; SameSite=None", "b=2; SameSite=Strict", rules: .ignored)
        #expect(lenient.field(for: page, .crossSitePost) == "a=1; b=2")
    }

    @Test("Path, end and replacement count; Secure stays on this machine and under TLS")
    func rules() throws {
        #expect(jar("a=1; Path=/admin").field(for: page, .sameSite) == nil)
        #expect(jar("a=1; Path=/account").field(for: page, .sameSite) == "a=1")
        #expect(jar("a=1", "a=2").field(for: page, .sameSite) == "a=2")
        #expect(jar("a=1", "a=; Max-Age=0").field(for: page, .sameSite) == nil)
        #expect(jar("nonsense").field(for: page, .sameSite) == nil)
        let plain = try #require(URL(string: "http://a.example/"))
        var secure = CookieJar()
        secure.take(
            WebAnswer(
                url: plain,
                status: 200,
                headers: [("set-cookie", "a=1; Secure")],
                body: Data()
            )
        )
        #expect(secure.field(for: plain, .sameSite) == nil)
        let safe = try #require(URL(string: "https://a.example/"))
        #expect(secure.field(for: safe, .sameSite) == "a=1")
    }
}
