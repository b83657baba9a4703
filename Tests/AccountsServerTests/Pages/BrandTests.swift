import AppleIdentity
import Foundation
import HTMLPages
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import AccountsServer

@Suite("The team's logo, color and links on the pages") struct BrandTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0]
    private static let svg = "<svg xmlns='http://www.w3.org/2000/svg'><circle r='9'/></svg>"

    @Test("A PNG or SVG file is a logo, also with a declaration, a document type and comments")
    func logos() throws {
        #expect(try BrandLogo(content: Self.png).format == .png)
        let prologue =
            "\u{FEFF}<?xml version='1.0'?>\n<!-- Drawn -->\n<!DOCTYPE svg PUBLIC 'x' 'y'>\n"
        for text in [Self.svg, prologue + Self.svg, Self.svg.replacing("r=", with: "id='on' r=")] {
            #expect(try BrandLogo(content: Array(text.utf8)).format == .svg, "\(text)")
        }
    }

    @Test(
        "An SVG with a script is refused",
        arguments: [
            "<script>alert(1)</script>", "<SVG:Script href='x.js'/>", "<g onload='alert(1)'/>",
            "<g id='a'\nONCLICK = 'x'/>", "<a href='javascript:x'/>", "<a href=' java\tscript:x'/>",
            "<a href='&#106;ava&#x73;cript:x'/>", "<foreignObject><p/></foreignObject>",
        ]
    )
    func scripts(content: String) {
        let text = Self.svg.replacing("<circle r='9'/>", with: content)
        let error = #expect(throws: ConfigurationError.self) {
            try BrandLogo(content: Array(text.utf8))
        }
        #expect(error?.message == "is an SVG file with a script")
    }

    @Test("Entities, other files and files above 100 KB are refused")
    func otherFiles() throws {
        let entity = "<!DOCTYPE svg [<!ENTITY x '<script/>'>]>" + Self.svg
        let comments = String(repeating: "<!-- -->", count: 10_000)
        for text in [entity, comments, "", "GIF89a", "<html><svg/></html>", "<svga/>"] {
            #expect(throws: ConfigurationError.self) { try BrandLogo(content: Array(text.utf8)) }
        }
        let room = BrandLogo.maximumByteCount - Self.png.count
        let largest = Self.png + [UInt8](repeating: 0, count: room)
        #expect(try BrandLogo(content: largest).content.count == 102_400)
        let error = #expect(throws: ConfigurationError.self) {
            try BrandLogo(content: largest + [0])
        }
        #expect(error?.message == "is larger than 100 KB")
    }

    @Test(
        "The contrast of two colors is that of WCAG",
        arguments: [
            ("#000000", "#ffffff", 21.0), ("#777777", "#ffffff", 4.48), ("#ff0000", "#ffffff", 4.0),
            ("#1d4ed8", "#1d4ed8", 1.0),
        ]
    )
    func contrast(one: String, other: String, ratio: Double) throws {
        let (one, other) = (try #require(WebColor(one)), try #require(WebColor(other)))
        #expect(abs(one.contrast(to: other) - ratio) < 0.01)
        #expect(one.contrast(to: other) == other.contrast(to: one))
    }

    @Test("A color that is too light is refused with its ratio and a darker one that is accepted")
    func tooLight() throws {
        let error = try #require(
            #expect(throws: ConfigurationError.self) { try AccentColors("#ffcc00") }
        )
        #expect(error.message.hasPrefix("has a contrast of 1.37:1"), "\(error.message)")
        let darker = try #require(error.fix.firstMatch(of: /#[0-9a-f]{6}/)?.output)
        #expect(try AccentColors(String(darker)).light.text == String(darker))
    }

    @Test(
        "Links and buttons have a contrast of 4.5:1, in light and in dark mode",
        arguments: ["standard", "#1d4ed8", "#000000", "#b00020", "#006b3c", "#5b21b6"]
    )
    func readable(text: String) throws {
        let colors = text == "standard" ? .standard : try AccentColors(text)
        let pairs = [
            (colors.light, AccentColors.lightPage), (colors.light, .white),
            (colors.light, colors.lightText), (colors.dark, AccentColors.darkCard),
            (colors.dark, colors.darkText),
        ]
        for (one, other) in pairs { #expect(one.contrast(to: other) >= 4.5) }
    }

    @Test("The pages have the backgrounds against which colors are checked")
    func backgrounds() throws {
        let style = String(
            decoding: try PageRenderer(appName: "Juice").assets.styleSheet.content,
            as: UTF8.self
        )
        #expect(style.contains("--page: \(AccentColors.lightPage.text); --card: #ffffff;"))
        #expect(style.contains("--card: \(AccentColors.darkCard.text);"))
        #expect(style.contains("--accent: \(AccentColors.standard.light.text);"))
    }

    @Test("The server serves the logo, its color and its links on every page")
    func pages() async throws {
        var brand = Brand()
        brand.logo = try BrandLogo(content: Self.png)
        brand.accent = try AccentColors("#1d4ed8")
        brand.links = [.privacy: "https://example.com/?a&b", .support: "https://example.com/help"]
        try await withAccountsServer({ [brand] in $0.brand = brand }) { server in
            for path in ["/sign-in", "/nowhere"] {
                let page = try await server.send(.get, path, [.accept: "text/html"]).text
                #expect(
                    page.contains("<a href=\"https://example.com/?a&amp;b\">Privacy policy</a>")
                )
                #expect(page.contains("<a href=\"https://example.com/help\">Support</a>"))
                #expect(!page.contains("Terms of use"))
                let logo = try #require(page.firstMatch(of: /<img src="([^"]+\.png)"/)).1
                let file = try await server.send(.get, String(logo))
                #expect(file.headers[.contentType] == "image/png")
                #expect(file.body.readableBytes == Self.png.count)
                let sheet = try #require(page.firstMatch(of: /href="([^"]+\.css)"/)).1
                #expect(try await server.send(.get, String(sheet)).text.contains("#1d4ed8"))
            }
            let answer = try await server.send(.get, "/api/sign-in-methods").text
            let offer = JSONFields(try JSONObject(parsing: Data(answer.utf8)))
            let logo = try offer.text("logo")
            #expect(
                logo.hasPrefix(TestServer.publicURL + "/assets/mark-") && logo.hasSuffix(".png")
            )
            #expect(try offer.text("privacyURL") == "https://example.com/?a&b")
            #expect(try offer.optionalText("termsURL") == nil)
        }
    }

    @Test("The pages of a demo lead to the emulator's console, in every language")
    func emulatorConsole() throws {
        var brand = Brand()
        brand.emulatorConsole = "http://127.0.0.1:8082"
        let renderer = try PageRenderer(appName: "Juice", brand: brand)
        for (language, words) in try PageLanguage.words(\.pageFile) {
            let page = try renderer.draw(NewAccountPage(offer: PageSamples.offer), in: language)
            let link = "<a href=\"http://127.0.0.1:8082\">\(words["emulatorConsoleLink"])</a>"
            #expect(page.contains(link), "\(language)")
        }
    }

    @Test("An app without a logo has its letter instead of the sample app's drop")
    func monogram() throws {
        func mark(_ appName: String) throws -> String {
            let content = try PageRenderer(appName: appName).assets.mark.content
            return String(decoding: content, as: UTF8.self)
        }
        #expect(try mark("acme").contains(">A</text>"))
        #expect(try mark("<b>").contains(">&lt;</text>"))
        #expect(try mark("Acme") != mark("Juice") && !mark("Juice").contains("<text"))
    }

    @Test("Without settings, the pages have no links")
    func none() throws {
        let page = SignInPage(offer: PageSamples.offer)
        #expect(!(try PageRenderer(appName: "Juice").draw(page, in: .english)).contains("<footer"))
    }
}
