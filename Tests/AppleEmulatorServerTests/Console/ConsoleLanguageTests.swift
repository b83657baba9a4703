import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Foundation
import HTMLPages
import HTTPTypes
import Testing

@testable import AppleEmulatorServer

@Suite struct ConsoleLanguageTests {
    @Test(arguments: PageLanguage.allCases)
    func everyPageIsInTheLanguageOfTheBrowser(language: PageLanguage) async throws {
        let empty = try await ConsoleVisitor(of: Seed())
        let full = try await ConsoleVisitor(of: Seed.demo())
        try await full.addEverything()
        for step in ["sign-in", "broken-secret", "mail"] {
            _ = try await full.post("/console/tour/\(step)")
        }
        let flows = await full.emulator.flows().map { "/flows/" + $0.text("id") }
        for section in ConsoleSection.allCases {
            try await expect(empty, section.path, language)
        }
        for path in ConsolePageTests.paths + ["/flows"] + flows + flows.map({ $0 + ".html" }) {
            try await expect(full, path, language)
        }
        for notice in ConsoleNotice.allCases {
            try await expect(full, "/?done=\(notice.rawValue)", language)
        }
    }

    /// Expects a page in this language, with every text and every value in it.
    private func expect(
        _ visitor: ConsoleVisitor,
        _ path: String,
        _ language: PageLanguage
    ) async throws {
        let page = try await visitor.open(path, in: language)
        let direction = language.isRightToLeft ? " dir=\"rtl\"" : ""
        #expect(page.contains("<html lang=\"\(language.tag)\"\(direction)>"), "\(path)")
        let shown = page.replacing(/<(style|script|pre)(?s:.*?)<\/\1>/, with: "")
        #expect(!shown.contains("{{") && !shown.contains(/[^$\/]\{[a-z_]+\}/), "\(path)")
        let missing = shown.matches(of: /\[([a-zA-Z][a-zA-Z-]*)\]/).map { String($0.1) }
        #expect(missing.isEmpty, "\(path)")
    }

    @Test func aPageSpeaksGermanAndItsReasonsEnglish() async throws {
        let visitor = try await ConsoleVisitor()
        await visitor.emulator.ask("/auth/authorize?client_id=com.example.nobody")
        let page = try await visitor.open("/console/requests", in: .german)
        #expect(page.contains("<h1>Anfragen</h1>"))
        #expect(page.contains("Wahrscheinliche Lösung: <span lang=\"en\" dir=\"ltr\">"))
        let answer = try await visitor.control.send(
            .get,
            "/console/nothing",
            fields: ["Accept-Language": "de"]
        )
        #expect(answer.status == .notFound && answer.text.contains("<h1>Nicht gefunden</h1>"))
    }

    @Test func valuesCodeAndLinksOfASentenceAreMarkedUp() async throws {
        let page = try await ConsoleVisitor(of: Seed()).open("/", in: .arabic)
        #expect(page.contains("<code>http://127.0.0.1:8081</code>"))
        #expect(page.contains("<a href=\"/console/people\">"))
        let other = try await ConsoleVisitor()
        _ = await other.emulator.bring()
        let inbox = try await other.open("/console/inbox", in: .japanese)
        #expect(inbox.contains("<bdi>noah@shop.example.com</bdi>") || inbox.contains("<bdi>Noah"))
    }

    @Test func theJSONOfAFlowIsEnglishInEveryLanguage() async throws {
        let visitor = try await ConsoleVisitor(of: Seed.demo())
        try await visitor.fill("/console/tour/sign-in", says: .signInPlayed)
        let flow = try #require(await visitor.emulator.flows().first).text("id")
        let answer = try await visitor.control.send(
            .get,
            "/flows/\(flow)",
            fields: ["Accept": "application/json", "Accept-Language": "ja"]
        )
        #expect(answer.text.contains("exchanges the code"))
    }
}
