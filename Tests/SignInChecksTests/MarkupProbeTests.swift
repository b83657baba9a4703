import Foundation
import Testing

@testable import SignInChecks

@Suite("Foreign markup on a page") struct MarkupProbeTests {
    private let probe = MarkupProbe()

    private func page(_ html: String, type: String = "text/html") -> WebAnswer {
        WebAnswer(
            url: URL(filePath: "/"),
            status: 200,
            headers: [("Content-Type", type)],
            body: Data(html.utf8)
        )
    }

    private func escaped(_ characters: [Character: String]) -> String {
        probe.text.map { characters[$0] ?? String($0) }.joined()
    }

    @Test("An element is found in text, and only on a page")
    func element() {
        #expect(probe.found(in: page("<p>Hello \(probe.text)")) == "<b id=check>\(probe.word)")
        #expect(probe.found(in: page("Hello \(probe.text)", type: "text/plain")) == nil)
    }

    @Test("A text that ends an attribute is found, even if other characters are escaped")
    func attributes() {
        let text = escaped(["<": "&lt;", ">": "&gt;"])
        #expect(probe.found(in: page("<input value=\"\(text)\">")) == "\" id=\"\(probe.word)")
        #expect(probe.found(in: page("<input value='\(text)'>")) == "' id='\(probe.word)")
        #expect(probe.found(in: page("<input value=\(text)>")) != nil)
        #expect(probe.found(in: page("<p>Hello \(text)")) == nil)
    }

    @Test("Text that is escaped for its place is harmless")
    func harmless() {
        let all = escaped(["<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"])
        #expect(probe.found(in: page("<p title=\"\(all)\">Hello \(all)")) == nil)
        let quotes = escaped(["\"": "&quot;"])
        #expect(probe.found(in: page("<input value=\"\(quotes)\"><p>Hello")) == nil)
    }
}
