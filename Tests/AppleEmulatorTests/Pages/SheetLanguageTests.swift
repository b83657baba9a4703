import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulator

@Suite("The sheet's languages")
struct SheetLanguageTests {
    @Test("Every language has every text, none empty", arguments: SheetLanguage.allCases)
    func complete(language: SheetLanguage) {
        for word in SheetWord.allCases {
            #expect(!language.words[word].isEmpty, "\(language) lacks \(word)")
        }
    }

    @Test("Every language says the same values", arguments: SheetLanguage.allCases)
    func values(language: SheetLanguage) {
        for word in SheetWord.allCases {
            let text = language.words[word]
            #expect(Self.values(in: text) == Self.values(in: SheetWords.english[word]), "\(text)")
        }
    }

    private static func values(in text: String) -> Set<String> {
        Set(text.matches(of: /\{([a-z]+)\}/).map { String($0.output.1) })
    }

    @Test("No language but English leaves a sentence in English", arguments: SheetLanguage.allCases)
    func translated(language: SheetLanguage) {
        guard language != .english else { return }
        let same = SheetWord.allCases.filter { language.words[$0] == SheetWords.english[$0] }
        #expect(Set(same).isSubset(of: [.name, .email, .errorTitle]), "\(same)")
    }

    @Test(
        "The language is the likeliest of those the browser asks for",
        arguments: [
            (nil, .english), ("", .english), ("de", .german), ("de-CH,de;q=0.9,en;q=0.8", .german),
            ("en;q=0.5, fr;q=0.7", .french), ("pt-BR, es-419;q=0.9", .spanish),
            ("JA-jp", .japanese),
            ("ko;q=0.8,ja;q=0.8", .korean), ("ar-EG", .arabic), ("*", .english),
            ("de;q=0, fr;q=0.1", .french), ("de;q=x, ko", .korean), (";;,,q=1", .english),
            ("de" + String(repeating: ",xx", count: 400), .english),
        ] as [(String?, SheetLanguage)]
    )
    func preferred(field: String?, language: SheetLanguage) {
        #expect(SheetLanguage(preferredBy: field) == language)
    }

    @Test("Every page is written in every language", arguments: SheetLanguage.allCases)
    func pages(language: SheetLanguage) throws {
        var renderer = try SheetRenderer()
        renderer.language = language
        let direction = language == .arabic ? " dir=\"rtl\"" : ""
        for (name, page) in SheetSamples.all {
            let html = renderer.render(page)
            #expect(html.contains("<html lang=\"\(language.tag)\"\(direction)>"))
            #expect(html.contains(language.words[.banner]), "\(name)")
            #expect(!html.contains("{" + "{") && !html.contains("{app}"), "\(name)")
            #expect(name == "failure" || name == "two-factor" || html.contains("Juice"))
        }
    }

    @Test("The browser's language is spoken from the first page to the errors")
    func spoken() async throws {
        let box = try await Box()
        let headers: HTTPFields = [.acceptLanguage: "de"]
        let page = await box.authorize(headers: headers)
        #expect(page.text.contains("Bei <bdi>Juice</bdi> anmelden"))
        let fields = [
            "transaction": page.hiddenFields["transaction"] ?? "", "action": "sign-in",
            "email": "maya@example.com", "password": "pear",
        ]
        let wrong = await box.send(
            .post,
            "/auth/authorize/sheet",
            body: Box.encode(fields),
            headers: [
                .acceptLanguage: "ar",
                .contentType: "application/x-www-form-urlencoded",
            ]
        )
        #expect(wrong.text.contains("dir=\"rtl\""))
        #expect(wrong.text.contains(SheetWords.arabic[.wrongPassword]))
        let refused = await box.authorize(["client_id": "com.example.none"], headers: headers)
        #expect(refused.text.contains("Anmeldung nicht möglich"))
        #expect(refused.text.contains("<p lang=\"en\" dir=\"ltr\">"))
        #expect(await box.authorize().text.contains("<html lang=\"en\">"))
    }

    @Test("A value that looks like a name in braces is only shown")
    func braces() {
        let text = SheetWords.english.text(.twoFactorLead, ["email": "{app}", "app": "{email}"])
        #expect(text.contains("of {app}.") && text.contains("to {email}."))
    }
}
