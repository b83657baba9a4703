import HTMLPages
import Testing

@testable import AccountsServer

@Suite("The rendered pages of the accounts server")
struct PageRenderingTests {
    @Test("Every page is written in every language", arguments: PageLanguage.allCases)
    func everyLanguage(language: PageLanguage) throws {
        let renderer = try PageRenderer(appName: "Juice")
        let direction = language.isRightToLeft ? " dir=\"rtl\"" : ""
        for sample in PageSamples.all {
            let html = try sample.draw(renderer, language)
            #expect(html.contains("<html lang=\"\(language.tag)\"\(direction)>"), "\(sample.name)")
            // Neither a missing value nor the name of a missing text.
            #expect(!html.contains("{{") && !html.contains(/\{[a-z]+\}/), "\(sample.name)")
            #expect(!html.contains(/\[[a-zA-Z.-]+\]/), "\(sample.name)")
        }
    }

    @Test(
        "Every text but those of refusals and emails is shown on some page, and no page shows one that is missing"
    )
    func everyText() throws {
        let english = try #require(try PageLanguage.words(\.pageFile)[.english])
        // Each text says its own name, and its values.
        let names = english.texts.map { word, text in
            (word, "<\(word)>" + text.matches(of: /\{[a-z]+\}/).map { String($0.output) }.joined())
        }
        let words = PageStrings(texts: Dictionary(uniqueKeysWithValues: names))
        var brand = Brand()
        for link in Brand.Link.allCases { brand.links[link] = "https://example.com" }
        brand.emulatorConsole = "http://127.0.0.1:8082"
        let renderer = try PageRenderer(words: [.english: words], appName: "Juice", brand: brand)
        let pages = try PageSamples.all.map { try $0.draw(renderer, .english) }
        let shown = Set(
            pages.flatMap { $0.matches(of: /&lt;([A-Za-z.-]+)&gt;/).map { String($0.1) } }
        )
        let expected = english.texts.keys.filter { !$0.contains(/^(error|mail)\./) }
        #expect(Set(expected).subtracting(shown) == [])
        #expect(!pages.contains { $0.contains(/\[[a-zA-Z.-]+\]/) })
    }

    @Test("Templates contain no text of their own", arguments: PageTemplate.sources.keys)
    func templates(name: String) throws {
        let source = try #require(PageTemplate.sources[name])
        let visible = String(decoding: source, as: UTF8.self)
            .replacing(/{{\$frame}}[^{]*|<[^>]*>|{{[^}]*}}|&#?[a-z0-9]+;/, with: "")
        #expect(!visible.contains(/[A-Za-z]/), "\(visible)")
    }

    @Test("No page has an element's id twice, and every reference to an id finds it")
    func ids() throws {
        let renderer = try PageRenderer(appName: "Juice")
        for sample in PageSamples.all {
            let html = try sample.draw(renderer, .english)
            let ids = html.matches(of: #/ id="([^"]*)"/#).map { String($0.1) }
            #expect(Set(ids).count == ids.count, "\(sample.name)")
            let pointers = html.matches(of: #/ (?:for|aria-describedby|aria-labelledby)="([^"]*)"/#)
                .flatMap { $0.1.split(separator: " ").map(String.init) }
            #expect(Set(pointers).subtracting(ids) == [], "\(sample.name)")
        }
    }

    @Test("Apple's button is drawn with its logo, and sized by its title, in every language")
    func appleButton() throws {
        let renderer = try PageRenderer(appName: "Juice")
        let style = String(decoding: renderer.assets.styleSheet.content, as: UTF8.self)
        for (language, words) in try PageLanguage.words(\.pageFile) {
            let title = words["signInWithApple"]
            let page = try renderer.draw(SignInPage(offer: PageSamples.offer), in: language)
            #expect(page.contains(AppleButton.logoElement + "<span>\(title)</span>"))
            let rule = AppleButton.styleRule(title: title, language: language.tag, height: 44)
            #expect(style.contains(rule))
        }
    }

    @Test("Text that a user typed is escaped in every page that shows it")
    func escaping() throws {
        let renderer = try PageRenderer(appName: "<b>")
        for sample in PageSamples.all {
            #expect(!(try sample.draw(renderer, .german)).contains("<b>"), "\(sample.name)")
        }
    }
}
