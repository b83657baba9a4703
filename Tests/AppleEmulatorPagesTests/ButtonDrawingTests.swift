import AppleIdentity
import HTMLPages
import HTTPTypes
import Testing

@testable import AppleEmulator
@testable import AppleEmulatorPages

// Fidelity: script-29, script-32
@Suite("The script and the pictures of the button, drawn") struct ButtonDrawingTests {
    private let renderer: EmulatorPageRenderer
    private let titles: [String: ButtonTitles]

    init() throws {
        renderer = try EmulatorPageRenderer()
        titles = try ButtonTitles.all()
    }

    /// The picture of a URL.
    private func draw(_ address: String) throws -> (text: String, fields: HTTPFields) {
        let parts = address.split(separator: "?")
        let style = try #require(ButtonStyle(rawValue: String(parts[0])))
        let fields = try FormFields(parsing: (parts.count > 1 ? parts[1] : "").utf8)
        return renderer.draw(.button(try ButtonPicture(style, fields)), in: .english)
    }

    @Test("37 languages, each with three titles that name Apple") func languages() throws {
        #expect(titles.count == 37 && Set(titles.keys) == ButtonLocale.names)
        for (locale, titles) in titles {
            let texts = ButtonKind.allCases.map { titles[$0] }
            #expect(texts.allSatisfy { $0.contains("Apple") }, "\(locale)")
            #expect(Set(texts).count == 3, "\(locale)")
        }
    }

    @Test("The script has the titles of its locale", arguments: ButtonLocale.names.sorted())
    func script(locale: String) throws {
        let (text, fields) = renderer.draw(.script(locale: locale), in: .english)
        #expect(fields[.contentType] == "text/javascript; charset=utf-8")
        let titles = try #require(titles[locale])
        for kind in ButtonKind.allCases { #expect(text.contains(titles[kind])) }
    }

    @Test("A picture says its size, title and language") func picture() throws {
        let reply = try draw("/appleid/button?width=200&height=44&scale=2&locale=ar_SA")
        #expect(reply.fields[.contentType] == "image/svg+xml")
        let policy = try #require(HTTPField.Name("Cross-Origin-Resource-Policy"))
        #expect(reply.fields[policy] == "cross-origin")
        #expect(reply.text.contains(#"width="400" height="88" viewBox="0 0 200 44""#))
        #expect(reply.text.contains(#"lang="ar-SA""#))
        #expect(reply.text.contains(#"direction="rtl""#))
        #expect(reply.text.contains("تسجيل الدخول باستخدام Apple"))
    }

    @Test(
        "A title has 43 % of the height, or less if the margins require it",
        arguments: [(375, 44), (200, 30), (140, 64), (130, 64)]
    )
    func titleSize(width: Int, height: Int) throws {
        let reply = try draw("/appleid/button?width=\(width)&height=\(height)")
        let form = /font-family="system-ui,[^"]*" font-size="([0-9.]+)"/
        let found = try #require(reply.text.firstMatch(of: form)).output.1
        let size = try #require(Double(found))
        let wanted = Double(height) * 0.43
        #expect(size <= wanted + 0.001)
        // The logo, the space behind it and the title, in parts of the font's size.
        let content = size * (1.35 + 0.25 + AppleButton.width(of: "Sign in with Apple"))
        let room = Double(width) * 0.84
        #expect(content <= room + 0.05)
        #expect(abs(size - wanted) < 0.001 || abs(content - room) < 0.05)
    }

    @Test("Logo and title are white on black, or black on white with or without an outline")
    func inks() throws {
        for (query, ground, ink, hasOutline) in [
            ("color=black", "#000", "#fff", false), ("color=white", "#fff", "#000", false),
            ("color=white&border=true", "#fff", "#000", true),
        ] {
            let text = try draw("/appleid/button?" + query).text
            let fills = text.matches(of: /<(\w+)[^>]* fill="([^"]*)"/).map { $0.output }
            #expect(fills.map(\.1) == ["rect", "path", "text"], "\(query)")
            #expect(fills.map(\.2).map(String.init) == [ground, ink, ink], "\(query)")
            #expect(text.contains(#"stroke="#) == hasOutline, "\(query)")
        }
    }

    @Test("Without parameters a picture is 140 by 30, the logo 30 by 30") func defaults() throws {
        for path in ["/appleid/button", "/appleid/button/left"] {
            let reply = try draw(path)
            #expect(reply.text.contains(#"viewBox="0 0 140 30""#))
            #expect(reply.text.contains("Sign in with Apple"))
            #expect(reply.text.contains(##"rx="15.0" fill="#000""##))
        }
        let logo = try draw("/appleid/button/logo")
        #expect(logo.text.contains(#"viewBox="0 0 30 30""#))
        #expect(!logo.text.contains("<text"))
    }
}
