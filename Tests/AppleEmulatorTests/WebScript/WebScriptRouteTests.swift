import AppleIdentity
import HTTPTypes
import Testing

@testable import AppleEmulator

@Suite("The script and the pictures of the button")
struct WebScriptRouteTests {
    static let folder = "/appleauth/static/jsapi/appleid/1/"

    @Test("The script stands at Apple's path in every locale", arguments: ButtonTitles.locales)
    func script(locale: String) async throws {
        let box = try await Box()
        let reply = await box.send(.get, "\(Self.folder)\(locale)/appleid.auth.js")
        #expect(reply.status == 200)
        #expect(reply.header("Content-Type") == "text/javascript; charset=utf-8")
        let titles = try #require(ButtonTitles(locale: locale))
        for kind in ButtonKind.allCases { #expect(reply.text.contains(titles[kind])) }
    }

    @Test(
        "Other paths below the script's are not found",
        arguments: [
            "xx_XX/appleid.auth.js", "appleid.auth.js", "/appleid.auth.js", "en_US/other.js",
            "en_US/appleid.auth.js/", "en_US/x/appleid.auth.js",
        ]
    )
    func unknownScripts(path: String) async throws {
        let box = try await Box()
        #expect(await box.send(.get, Self.folder + path).status == 404)
    }

    @Test(
        "Only GET and HEAD",
        arguments: [Self.folder + "en_US/appleid.auth.js", "/appleid/button"]
    )
    func methods(path: String) async throws {
        let box = try await Box()
        #expect(await box.send(.post, path).status == 405)
        let head = await box.send(.head, path)
        #expect(head.status == 200)
        #expect(head.answer.body.isEmpty)
    }

    @Test("37 languages, each with three titles that name Apple")
    func languages() {
        #expect(ButtonTitles.table.count == 37)
        for (locale, titles) in ButtonTitles.table {
            #expect(titles.count == ButtonKind.allCases.count, "\(locale)")
            #expect(titles.allSatisfy { $0.contains("Apple") }, "\(locale)")
            #expect(Set(titles).count == 3, "\(locale)")
        }
    }

    @Test("A picture says its size, title and language")
    func picture() async throws {
        let box = try await Box()
        let reply = await box.send(.get, "/appleid/button?width=200&height=44&scale=2&locale=ar_SA")
        #expect(reply.status == 200)
        #expect(reply.header("Content-Type") == "image/svg+xml")
        #expect(reply.header("Cross-Origin-Resource-Policy") == "cross-origin")
        #expect(reply.text.contains(#"width="400" height="88" viewBox="0 0 200 44""#))
        #expect(reply.text.contains(#"lang="ar-SA""#))
        #expect(reply.text.contains(#"direction="rtl""#))
        #expect(reply.text.contains("تسجيل الدخول باستخدام Apple"))
    }

    @Test(
        "A title has 43 % of the height, or less where the margins need it",
        arguments: [(375, 44), (200, 30), (140, 64), (130, 64)]
    )
    func titleSize(width: Int, height: Int) async throws {
        let box = try await Box()
        let reply = await box.send(.get, "/appleid/button?width=\(width)&height=\(height)")
        let form = /font-family="system-ui,[^"]*" font-size="([0-9.]+)"/
        let found = try #require(reply.text.firstMatch(of: form)).output.1
        let size = try #require(Double(found))
        let wanted = Double(height) * 0.43
        #expect(size <= wanted + 0.001)
        // The logo, the space behind it and the title, in parts of the font's size.
        let content = size * (1.35 + 0.25 + ButtonTitles.width(of: "Sign in with Apple"))
        let room = Double(width) * 0.84
        #expect(content <= room + 0.05)
        #expect(abs(size - wanted) < 0.001 || abs(content - room) < 0.05)
    }

    @Test("Logo and title are white on black, or black on white with or without an outline")
    func inks() async throws {
        let box = try await Box()
        for (query, ground, ink, hasOutline) in [
            ("color=black", "#000", "#fff", false), ("color=white", "#fff", "#000", false),
            ("color=white&border=true", "#fff", "#000", true),
        ] {
            let text = await box.send(.get, "/appleid/button?" + query).text
            let fills = text.matches(of: /<(\w+)[^>]* fill="([^"]*)"/).map { $0.output }
            #expect(fills.map(\.1) == ["rect", "path", "text"], "\(query)")
            #expect(fills.map(\.2).map(String.init) == [ground, ink, ink], "\(query)")
            #expect(text.contains(#"stroke="#) == hasOutline, "\(query)")
        }
    }

    @Test("A picture narrower than the guidelines want is drawn, with a hint")
    func narrow() async throws {
        let box = try await Box()
        for (path, isNarrow) in [
            ("/appleid/button?width=139", true), ("/appleid/button/left?width=139", true),
            ("/appleid/button?width=140", false), ("/appleid/button/logo?size=30", false),
        ] {
            #expect(await box.send(.get, path).status == 200)
            let hint = await box.apple.requests().last?["hint"]?.stringValue
            #expect((hint?.contains("140 points") == true) == isNarrow, "\(path)")
        }
    }

    @Test("Without parameters a picture is 140 by 30, the logo 30 by 30")
    func defaults() async throws {
        let box = try await Box()
        for path in ["/appleid/button", "/appleid/button/left"] {
            let reply = await box.send(.get, path)
            #expect(reply.text.contains(#"viewBox="0 0 140 30""#))
            #expect(reply.text.contains("Sign in with Apple"))
            #expect(reply.text.contains(##"rx="15.0" fill="#000""##))
        }
        let logo = await box.send(.get, "/appleid/button/logo")
        #expect(logo.text.contains(#"viewBox="0 0 30 30""#))
        #expect(!logo.text.contains("<text"))
    }

    @Test(
        "Every value at its limit has a picture",
        arguments: [
            "/appleid/button?width=130&height=30", "/appleid/button?width=375&height=64",
            "/appleid/button?color=white&border=true&border_radius=0",
            "/appleid/button?border_radius=50&scale=6&type=sign-up",
            "/appleid/button?type=continue&locale=iw_IL",
            "/appleid/button/left?logo-size=large&logo-position=0&label-position=182",
            "/appleid/button/left?logo-size=medium&logo-position=182&locale=ar_SA",
            "/appleid/button/logo?size=30", "/appleid/button/logo?size=64&color=white",
            "/appleid/button?unheard=of",
        ]
    )
    func limits(path: String) async throws {
        let box = try await Box()
        let reply = await box.send(.get, path)
        #expect(reply.status == 200)
        #expect(reply.text.hasPrefix("<svg xmlns="))
    }

    @Test(
        "A value beyond its limits is not found, and the log names it",
        arguments: [
            "width=129", "width=376", "height=29", "height=65", "color=red", "border=yes",
            "border_radius=51", "border_radius=-1", "border_radius=1.5", "type=signin",
            "scale=0", "scale=7", "locale=en", "locale=", "width=", "width=+140", "width=٢٠٠",
            "width=140&width=150", "locale=%3Csvg%3E", "width=99999999999999999999",
        ]
    )
    func beyondLimits(query: String) async throws {
        let box = try await Box()
        let reply = await box.send(.get, "/appleid/button?" + query)
        #expect(reply.status == 404)
        let name = String(query.prefix { $0 != "=" })
        #expect(await box.apple.requests().last?["reason"]?.stringValue?.contains(name) == true)
    }

    @Test(
        "Left-aligned pictures and logos have limits of their own",
        arguments: [
            "left?logo-size=huge", "left?logo-position=183", "left?label-position=-1",
            "logo?size=29", "logo?size=65",
        ]
    )
    func beyondOwnLimits(path: String) async throws {
        let box = try await Box()
        #expect(await box.send(.get, "/appleid/button/" + path).status == 404)
    }
}

extension ButtonTitles {
    static var locales: [String] { table.keys.sorted() }
}
