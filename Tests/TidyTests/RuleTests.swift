import Testing

/// Each rule can fail: a small bad sample for every one, and a good one beside it.
@Suite("The rules of style") struct RuleTests {
    @Test("Code that is compiled nowhere is found in a document")
    func examples() {
        let text = "import M\n\nfunc f() {\n    g()\n\n    h()\n}"
        let source = SourceFile(path: "Tests/T/E.swift", text: text)
        func violations(_ code: String, _ language: String = "swift") -> [Int] {
            let document = SourceFile(path: "A.md", text: "Text\n```\(language)\n\(code)\n```\n")
            return ExampleRule(sources: [source]).violations(in: document).map(\.line)
        }
        #expect(violations("g()\nh()").isEmpty)
        #expect(violations("g()\ni()") == [2])
        #expect(violations("import M\nfunc f() {").isEmpty)
        #expect(violations("import M\nimport N\nfunc f() {") == [2])
        #expect(violations("import M\ng()") == [2])
        #expect(violations("// swift-tools-version: 6.2\nimport PackageDescription").isEmpty)
        #expect(violations("i()", "python").isEmpty)
        #expect(violations("i()", "") == [2])
        let list = SourceFile(path: "A.md", text: "- Item\n  ```swift\n  i()\n  ```\n")
        #expect(ExampleRule(sources: [source]).violations(in: list).map(\.line) == [2])
    }

    @Test(
        "Each forbidden word is found",
        arguments: [
            (WordRule.time, "let now = Date.now"), (.sleeping, "Thread.sleep(forTimeInterval: 1)"),
            (.crashing, "let value = try! read()"), (.unchecked, "class A: @unchecked Sendable {}"),
            (.newerSystems, "let count = Mutex(0)"),
            (.newerSystems, "let text: String? = .init(validating: bytes, as: UTF8.self)"),
            (.newerSystems, "var lines: any AsyncSequence<String, Never>"),
            (.printing, "print(value)"), (.unfinished, "// TODO: the rest"),
            (.disabledTests, "@Test(.disabled(\"slow\")) func check() {}"),
        ]
    ) func forbiddenWord(rule: WordRule, line: String) {
        let file = SourceFile(path: "Sources/Sample/File.swift", text: "import Foundation\n" + line)
        #expect(rule.violations(in: file).map(\.line) == [2])
    }

    @Test(
        "Words that only look alike pass",
        arguments: [
            (WordRule.time, "// Date() is not allowed"), (.time, "let text = \"Date()\""),
            (.time, "let end = Date(timeIntervalSince1970: 0)"), (.time, "expirationDate()"),
            (.crashing, "let view = value as? View"), (.printing, "fingerprint(value)"),
            (.printing, "console.print(value)"), (.printing, "func print(text: String) {}"),
            (.unfinished, "// enforced: for nowhere else"), (.unfinished, "// mastodon"),
        ]
    ) func innocentWord(rule: WordRule, line: String) {
        let file = SourceFile(path: "Sources/Sample/File.swift", text: line)
        #expect(rule.violations(in: file).isEmpty)
    }

    @Test("A code without a sentence in some language is found") func sentences() {
        let rule = SentenceRule(texts: [
            "en.json": ["error.one", "error.two"], "de.json": ["error.one"],
        ])
        let text = """
            static let one = ServerError("one", .notFound, "One.")
            static let two = RefusedSignIn(
                "two",
                .badRequest,
            )
            """
        let file = SourceFile(path: "A.swift", text: text)
        #expect(SentenceRule.codes(in: file) == ["one", "two"])
        #expect(rule.violations(in: file).map(\.message) == ["two has no sentence in de.json"])
    }

    @Test("A dead link and a dead heading are found, living ones pass") func links() {
        let text = """
            # First heading: `code`
            [alive](docs/A.md) [dead](docs/B.md "title") [web](https://example.com/x)
            [heading](#first-heading-code) [no heading](docs/A.md#missing) `[span](nowhere)`
            ```
            [code](nowhere)
            ```
            [up](../x)
            ## Other
            ## Other
            [second](#other-1) [third](#other-2) <a href="docs/C.md"><img src="docs/A.md"></a>
            [reference]: docs/D.md "title"
            """
        let rule = LinkRule(
            exists: { ["docs/A.md", "README.md"].contains($0) },
            text: { $0 == "README.md" ? text : "# Other" }
        )
        let file = SourceFile(path: "README.md", text: text)
        #expect(
            rule.violations(in: file).map(\.description) == [
                "README.md:2: the link docs/B.md leads to nothing",
                "README.md:3: there is no heading for the link docs/A.md#missing",
                "README.md:7: the link ../x leads to nothing",
                "README.md:10: there is no heading for the link #other-2",
                "README.md:10: the link docs/C.md leads to nothing",
                "README.md:11: the link docs/D.md leads to nothing",
            ]
        )
    }
}
