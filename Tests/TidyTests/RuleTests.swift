import Testing

/// Each rule can fail: a small bad sample for every one, and a good one beside it.
@Suite("The rules of style") struct RuleTests {
    @Test(
        "An import outside the table is found in every spelling",
        arguments: [
            "import Hummingbird", "@testable import Hummingbird", "package import Hummingbird",
            "import struct Hummingbird.Router", "@preconcurrency public import Hummingbird",
        ]
    ) func forbiddenImport(line: String) {
        let file = SourceFile(path: "Sources/AppleIdentity/File.swift", text: "\n" + line + "\n")
        let violations = ImportRule.violations(in: file)
        #expect(violations.map(\.line) == [2])
        #expect(violations.first?.message == "AppleIdentity must not import Hummingbird")
    }

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

    @Test("A test that a document names and nobody wrote is found") func testNames() {
        let test = SourceFile(path: "Tests/T/ATests.swift", text: "@Test func works() {}")
        let python = SourceFile(path: "Tests/Python/test_a.py", text: "\ndef test_it(a): pass")
        let rule = TestNameRule(tests: [test, python])
        func violations(_ text: String) -> [String] {
            rule.violations(in: SourceFile(path: "A.md", text: text)).map(\.message)
        }
        #expect(violations("`ATests.works`, `.p8`\n`.p8`") == ["there is no test ATests.p8"])
        #expect(violations("`ATests.works`\n`BTests.works`") == ["there is no test BTests.works"])
        #expect(violations("`test_a.py::test_it`").isEmpty)
        #expect(violations("`test_a.py::it`") == ["there is no test test_a.py::it"])
    }

    @Test("The emulator may not import the library, nor the library the emulator")
    func separation() {
        let emulator = ["AppleEmulator", "AppleEmulatorPages", "AppleEmulatorServer"]
        let pairs = emulator.flatMap { [($0, "SignInWithApple"), ("SignInWithApple", $0)] }
        for (target, module) in pairs {
            let file = SourceFile(path: "Sources/\(target)/File.swift", text: "import \(module)")
            #expect(ImportRule.violations(in: file).count == 1)
        }
    }

    @Test("An import in a comment and an allowed one pass; an unknown target does not")
    func otherImports() {
        let good = "// import GRDB\nimport Foundation\nlet text = \"\"\"\nimport GRDB\n\"\"\""
        let file = SourceFile(path: "Sources/AppleIdentity/File.swift", text: good)
        #expect(ImportRule.violations(in: file).isEmpty)
        let stranger = SourceFile(path: "Sources/Stranger/File.swift", text: "import Foundation")
        #expect(ImportRule.violations(in: stranger).count == 1)
    }

    @Test(
        "Each forbidden word is found",
        arguments: [
            (WordRule.time, "let now = Date()"), (.time, "let now = Date.now"),
            (.time, "try await Task.sleep(for: .seconds(1))"),
            (.sleeping, "Thread.sleep(forTimeInterval: 1)"),
            (.yielding, "while count == 0 { await Task.yield() }"),
            (.crashing, "let value = try! read()"), (.crashing, "let view = value as! View"),
            (.crashing, "fatalError()"), (.unchecked, "class Box: @unchecked Sendable {}"),
            (.unchecked, "nonisolated(unsafe) var count = 0"),
            (.newerSystems, "import Synchronization"),
            (.newerSystems, "let count = Mutex(0)"), (.newerSystems, "let count: Atomic<Int>"),
            (.newerSystems, "@Entry var session: Session?"), (.newerSystems, "#Preview {"),
            (.newerSystems, "import SwiftData"),
            (.newerSystems, "let text = String(validating: bytes, as: UTF8.self)"),
            (.newerSystems, "let text: String? = .init(validating: bytes, as: UTF8.self)"),
            (.newerSystems, "var places = RangeSet<Int>()"), (.newerSystems, "let large: Int128"),
            (.newerSystems, "var lines: any AsyncSequence<String, Never>"),
            (.newerSystems, "try await iterator.next(isolation: #isolation)"),
            (.newerSystems, "isolated deinit { close() }"),
            (.newerSystems, "Task.immediate { await begin() }"),
            (.newerSystems, "let key: InlineArray<32, UInt8>"),
            (.printing, "print(value)"), (.printing, "FileHandle.standardError.write(data)"),
            (.printing, "let text = \"\\(print(value))\""),
            (.unfinished, "// TODO: the rest"), (.unfinished, "// works for now"),
            (.unfinished, "let name = \"placeholder\""),
            (.hardPhrases, "// The cache goes on."), (.hardPhrases, "/// Waits, so that it ends."),
            (.disabledTests, "@Test(.disabled(\"slow\")) func check() {}"),
            (.disabledTests, "@Test(.enabled(if: isFast)) func check() {}"),
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
            (.unfinished, "// enforced: for nowhere else"),
            (.unfinished, "// mastodon"), (.hardPhrases, "// untold, so thatched"),
        ]
    ) func innocentWord(rule: WordRule, line: String) {
        let file = SourceFile(path: "Sources/Sample/File.swift", text: line)
        #expect(rule.violations(in: file).isEmpty)
    }

    @Test("A file may have 400 lines and not one more") func fileLength() {
        func file(lineCount: Int) -> SourceFile {
            SourceFile(path: "F.swift", text: String(repeating: "//\n", count: lineCount))
        }
        #expect(LengthRule.violations(in: file(lineCount: 400)).isEmpty)
        #expect(LengthRule.violations(in: file(lineCount: 401)).count == 1)
    }

    @Test(
        "A function may have 60 lines and not one more",
        arguments: [
            "func long(\n    of text: String\n) async throws -> [String: Int]", "init()",
            "func same(text: String = \"}\") where Value == Int", "var long: Int",
        ]
    ) func functionLength(declaration: String) {
        func file(lineCount: Int) -> SourceFile {
            let declarationLineCount = declaration.split(separator: "\n").count
            let body = String(repeating: "    {}()\n", count: lineCount - declarationLineCount - 1)
            return SourceFile(path: "F.swift", text: "\n\(declaration) {\n\(body)}\n")
        }
        #expect(LengthRule.violations(in: file(lineCount: 60)).isEmpty)
        #expect(LengthRule.violations(in: file(lineCount: 61)).map(\.line) == [2])
    }

    @Test("Requirements, stored properties and calls have no body") func noFunctions() {
        let text = """
            protocol Store {
                func find(_ text: String) throws -> Int
                var count: Int
            }
            struct Value {
                var stored = [1, 2].map { $0 }
                let made = Value.init(stored: [])
            }
            """
        #expect(FunctionFinder.functions(in: text).isEmpty)
    }

    @Test("A call that no test makes after each start of an Apple is found") func calls() {
        let library = SourceFile(
            path: "Sources/SignInWithApple/AppleSignIn.swift",
            text: "extension AppleSignIn {\n    public func ask() {}\n    func other() {}\n}"
        )
        func violations(_ tests: String...) -> [String] {
            let files = tests.map { SourceFile(path: "Tests/T/ATests.swift", text: $0) }
            return CallRule(tests: files).violations(in: [library]).map(\.message)
        }
        let inside = "@Test func one() {\n    withAppleEmulator { $0.ask() }\n}\n"
        let served = "@Test func two() {\n    withServedApple { use($0) }\n}\n"
        let helper = "func use(_ apple: Apple) {\n    apple.ask()\n}\n"
        #expect(violations(inside) == ["ask has no test with withServedApple"])
        #expect(violations(inside, served) == ["ask has no test with withServedApple"])
        #expect(violations(inside, served + helper).isEmpty)
        // Another test's call, or a function that no test leads to, proves nothing.
        let other = "@Test func three() {\n    fake.ask()\n}\n"
        #expect(violations(inside, served + other) == ["ask has no test with withServedApple"])
        let unused = "func all() {\n    withServedApple { $0.ask() }\n}\n"
        #expect(violations(inside, unused) == ["ask has no test with withServedApple"])
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

    @Test("A text of the console that is unused or missing is found") func consoleTexts() {
        let rule = ConsoleTextRule(
            names: ["used", "section-apps", "step-one", "unused"],
            sheetNames: ["name"]
        )
        let template = SourceFile(
            path: "A/consoleOne.mustache",
            text: "{{words.name}} {{words.missing}}"
        )
        let code = SourceFile(
            path: "A.swift",
            text: #"words["used"] + words["section-\(name)"] + count(1, of: "step")"#
        )
        let found = rule.violations(in: [template], [code]).map(\.message)
        #expect(found == ["unused is not used", "missing is missing"])
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
