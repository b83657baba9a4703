import Testing

/// The documentation catalogs below the sources tell all that is there, and nothing else.
@Suite("The documentation is whole") struct DocumentationTests {
    private let documents: [SourceFile]

    init() throws { documents = try Repository.markdownFiles() }

    @Test("Every cause of a refusal is told in an article") func causes() throws {
        let codes = try #require(
            Repository.swiftFiles(below: "Sources/Server/SignInWithApple")
                .first { $0.path.hasSuffix("/RefusalCause+Code.swift") }
        )
        let words = codes.text.matches(of: /"([a-z_]+)"/).map(\.1)
        #expect(words.count > 20)
        let articles = documents.filter { $0.path.contains("/SignInWithApple.docc/") }
        for word in words {
            #expect(articles.contains { $0.text.contains("`\(word)`") }, "no article has \(word)")
        }
    }

    @Test("The emulator's reference has every route and field") func reference() throws {
        let rule = ReferenceRule(page: try #require(document("docs/reference/emulator.md")))
        let sources = try ["AppleEmulator", "AppleEmulatorServer"].flatMap {
            try Repository.swiftFiles(below: "Sources/\($0)")
        }
        // What an exported state has is told by the state itself, section by section.
        .filter { !$0.path.contains("/Persistence/EmulatorState+") }
        let violations = sources.flatMap(rule.violations)
        #expect(violations.isEmpty, "\(violations.report)")
    }

    @Test("A route and a field outside the reference are found") func unnamed() {
        let page = SourceFile(path: "A.md", text: "| `GET` · `POST /mail` | `text` |\n")
        let source = SourceFile(
            path: "S.swift",
            text: """
                ControlRoute(.get("mail", .mail), "listMail") { list }
                ControlRoute(.delete("mail", .mail), "clearMail") { clear }
                FieldReader(object, known: ["text", "title"])
                """
        )
        let messages = ReferenceRule(page: page).violations(in: source).map(\.message)
        #expect(messages == ["A.md lacks DELETE /mail", "A.md lacks title"])
    }

    private func document(_ path: String) -> SourceFile? {
        documents.first { $0.path == path }
    }
}
