import Crypto
import Foundation
import Testing

@testable import AppleEmulator
@testable import AppleEmulatorPages

@Suite struct SheetRendererTests {
    /// A value that breaks out of markup which is escaped by what a reader sees as a character:
    /// the quotation mark and the bracket each carry a combining accent.
    static let hostile = "\"\u{301} onfocus='x' <\u{338}img src=x> & </style><script>"

    let renderer: PageRenderer

    init() throws {
        renderer = try PageRenderer()
    }

    @Test(arguments: SheetSamples.names)
    func everyPageIsACompleteAccessibleDocument(name: String) throws {
        let html = renderer.draw(try #require(SheetSamples.page(name)), in: .english).text
        #expect(html.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
        #expect(html.contains("<meta name=\"viewport\""))
        #expect(html.contains("Emulator of Apple: not Apple"))
        #expect(html.components(separatedBy: "<h1>").count == 2)
        #expect(html.components(separatedBy: "<main").count == 2)
        #expect(!html.contains("{{"))
        #expect(!html.unicodeScalars.contains("\u{F8FF}"))
    }

    @Test(arguments: SheetSamples.names) func everyVisibleFieldHasALabel(name: String) throws {
        let html = renderer.draw(try #require(SheetSamples.page(name)), in: .english).text
        for match in html.matches(of: #/<input id="([^"]+)"/#) {
            #expect(html.contains("<label for=\"\(match.1)\">"))
        }
        for match in html.matches(of: #/<input (type="radio"[^>]*)>/#) {
            #expect(html[..<match.range.lowerBound].hasSuffix("<label class=\"choice\">\n"))
        }
    }

    @Test(arguments: [
        ("sign-in", "sign-in"), ("two-factor", "two-factor"), ("consent", "continue"),
        ("returning", "continue"),
    ])
    func askingPagesPostToTheSheet(name: String, action: String) throws {
        let html = renderer.draw(try #require(SheetSamples.page(name)), in: .english).text
        #expect(html.contains("<form method=\"post\" action=\"/auth/authorize/sheet\">"))
        #expect(html.contains("name=\"transaction\" value=\"t1\""))
        // The first button is what the return key presses.
        let buttons = html.matches(of: #/<button[^>]* value="([^"]+)"/#).map { String($0.1) }
        #expect(buttons.first == action)
        #expect(buttons.last == "cancel")
        #expect(!html.contains("<script"))
    }

    @Test func valuesAreEscapedCodePointByCodePoint() {
        let hostile = Self.hostile
        let account = SheetPage.Account(personName: hostile, email: hostile, action: hostile)
        let steps: [SheetPage.Step] = [
            .chooser([account]), .signIn(email: hostile, knownEmails: [hostile]),
            .twoFactor(email: hostile, digits: hostile), .consent(Self.consent(of: hostile)),
            .returning(account),
        ]
        var pages = steps.map { step in
            EmulatorPage.sheet(SheetPage(transaction: hostile, appName: hostile, step: step))
        }
        pages += [
            .formPost(
                FormPostPage(redirectURI: hostile, appName: hostile, fields: [(hostile, hostile)])
            ),
            .webMessage(WebMessagePage(message: hostile, targetOrigin: hostile, appName: hostile)),
            .failure(FailurePage(code: hostile, text: hostile, hint: hostile)),
        ]
        for page in pages { expectEscaped(renderer.draw(page, in: .english).text) }
    }

    private func expectEscaped(_ html: String) {
        let scalars = String.UnicodeScalarView(html.unicodeScalars)
        let text = scalars.map(\.value)
        #expect(!text.contains("\"\u{301}".unicodeScalars.map(\.value)))
        #expect(!text.contains("<\u{338}".unicodeScalars.map(\.value)))
        #expect(text.contains("&quot;\u{301}".unicodeScalars.map(\.value)))
        #expect(html.components(separatedBy: "</style>").count == 2)
    }

    private static func consent(of text: String) -> ConsentPage {
        ConsentPage(
            email: text,
            asksName: true,
            givenName: text,
            familyName: text,
            asksEmail: true,
            addresses: [text, text],
            chosenAddress: text
        )
    }
}
