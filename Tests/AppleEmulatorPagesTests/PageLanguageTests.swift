import HTMLPages
import HTTPTypes
import Testing

@testable import AppleEmulator
@testable import AppleEmulatorPages

// Fidelity: sheet-25
@Suite("The languages of the sheet and the account page") struct PageLanguageTests {
    private let renderer: EmulatorPageRenderer
    private let english: PageStrings

    init() throws {
        renderer = try EmulatorPageRenderer()
        english = renderer.words(of: .english)
    }

    @Test("A missing text shows its name") func missing() {
        #expect(english["nothing"] == "[nothing]")
    }

    @Test(
        "The language is the browser's most preferred one",
        arguments: [
            (nil, .english), ("", .english), ("de", .german), ("de-CH,de;q=0.9,en;q=0.8", .german),
            ("en;q=0.5, fr;q=0.7", .french), ("pt-BR, es-419;q=0.9", .spanish),
            ("JA-jp", .japanese), ("ko;q=0.8,ja;q=0.8", .korean), ("ar-EG", .arabic),
            ("*", .english), ("de;q=0, fr;q=0.1", .french), ("de;q=x, ko", .korean),
            (";;,,q=1", .english), ("de" + String(repeating: ",xx", count: 400), .english),
        ] as [(String?, PageLanguage)]
    )
    func preferred(field: String?, language: PageLanguage) {
        #expect(PageLanguage(preferredBy: field) == language)
    }

    @Test("Arabic is written from right to left") func directions() {
        #expect(PageLanguage.arabic.direction == "rtl")
        #expect(PageLanguage.japanese.direction == nil)
    }

    @Test("Every page is written in every language", arguments: PageLanguage.allCases)
    func pages(language: PageLanguage) {
        let direction = language.isRightToLeft ? " dir=\"rtl\"" : ""
        let banner = renderer.words(of: language)["banner"]
        for (name, page) in SheetSamples.all + AccountSamples.all {
            let html = renderer.draw(page, in: language, console: SheetSamples.console).text
            let shown = html.replacing(/<style>(?s:.*?)<\/style>/, with: "")
            #expect(html.contains("<html lang=\"\(language.tag)\"\(direction)>"))
            #expect(html.contains(banner), "\(name)")
            // Neither a value that was not filled in, nor the name of a text that is missing.
            #expect(!shown.contains("{{") && !shown.contains(/\{[a-z]+\}/), "\(name)")
            #expect(!shown.contains(/\[[a-zA-Z-]+\]/), "\(name)")
        }
    }

    @Test("Every text is shown on some page, and no page shows a missing one") func shown() throws {
        // Each text says its own name.
        let names = english.texts.keys.map { ($0, "<\($0)>") }
        let words = PageStrings(texts: Dictionary(uniqueKeysWithValues: names))
        let renderer = try EmulatorPageRenderer(words: [.english: words])
        let problems = PageProblem.allCases.map {
            SheetSamples.sheet(.signIn(email: "", knownPeople: []), problem: $0)
        }
        let pages =
            SheetSamples.all + SheetSamples.others + AccountSamples.all + AccountSamples.others
        let html = (problems + pages.map(\.page)).map {
            renderer.draw($0, in: .english, console: SheetSamples.console).text
        }
        let shown = html.flatMap { $0.matches(of: /&lt;([A-Za-z-]+)&gt;/).map { String($0.1) } }
        #expect(Set(shown) == Set(english.texts.keys))
    }

    @Test("The browser's language is spoken from the first page to the errors")
    func spoken() throws {
        let page = try #require(SheetSamples.page("sign-in"))
        let german = renderer.draw(page, in: .german).text
        #expect(german.contains("Bei <bdi>Juice</bdi> anmelden"))
        let arabic = renderer.draw(page, in: .arabic).text
        #expect(arabic.contains("dir=\"rtl\""))
        #expect(arabic.contains(renderer.words(of: .arabic)["wrongPassword"]))
        var answer = EmulatorAnswer(response: HTTPResponse(status: .badRequest))
        answer.page = .failure(SheetSamples.failure)
        var request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")
        request.headerFields[.acceptLanguage] = "de"
        let refused = renderer.draw(answer, for: request)
        let text = String(decoding: refused.body, as: UTF8.self)
        #expect(refused.response.status == .badRequest && refused.page == nil)
        #expect(text.contains("Anmeldung nicht möglich"))
        #expect(text.contains("<p lang=\"en\" dir=\"ltr\">"))
    }

    @Test("A value that looks like a name in braces is only shown") func braces() {
        let text = english.text("twoFactorLead", ["email": "{app}", "app": "{email}"])
        #expect(text.contains("of {app}.") && text.contains("to {email}."))
    }

    @Test("A name is isolated from the sentence around it") func isolation() {
        let text = english.text("stopTitle", about: "عصير")
        #expect(text == "Stop using your account with \u{2068}عصير\u{2069}?")
    }
}
