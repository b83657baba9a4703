import Foundation
import Testing

/// The rules of style, held against every file of this package.
///
/// One at a time: each keeps a thread busy, and servers of other tests have to answer meanwhile.
@Suite("The repository is tidy", .serialized) struct RepositoryTests {
    private let sources: [SourceFile]
    private let tests: [SourceFile]
    private let benchmarks: [SourceFile]

    init() throws {
        // The steps of a tutorial are another package's code: AppleSourceTests compares them with the example.
        sources = try Repository.swiftFiles(below: "Sources").filter { !$0.path.contains(".docc/") }
        tests = try Repository.swiftFiles(below: "Tests")
        benchmarks = try Repository.swiftFiles(below: "Benchmarks/Sources")
        try #require(sources.count > 20, "the sources were not found at \(Repository.root.path)")
    }

    /// What testers import, `AppleEmulatorTesting`, has both.
    @Test("The emulator imports nothing of the library, nor the library of the emulator")
    func imports() {
        for (one, other) in [
            ("AppleEmulator", "SignInWithApple"), ("SignInWithApple", "AppleEmulator"),
        ] {
            let lines = sources.filter {
                $0.target.hasPrefix(one) && $0.target != "AppleEmulatorTesting"
            }.flatMap(\.codeLines)
            #expect(lines.contains { $0.contains("import Foundation") })
            #expect(!lines.contains { $0.contains("import ") && $0.contains(other) })
        }
    }

    @Test("No program has the fixtures, which nobody verified") func fixtures() {
        let lines = sources.filter { $0.target != "AppleEmulatorTesting" }.flatMap(\.codeLines)
        #expect(!lines.contains { $0.contains("import ") && $0.contains("AppleEmulatorTesting") })
    }

    @Test("Files have at most 400 lines") func lengths() {
        let long = (sources + tests + benchmarks).filter { $0.lines.count > 401 }
        #expect(long.isEmpty, "\(long.map(\.path))")
    }

    @Test(
        "No source has a word that is not allowed",
        arguments: [WordRule.time, .crashing, .unchecked, .printing, .unfinished]
    )
    func words(rule: WordRule) {
        expectNone(sources.flatMap(rule.violations))
        #expect(!sources.contains { $0.path.hasSuffix("/Placeholder.swift") })
    }

    @Test("Tests do not sleep") func sleeping() {
        expectNone(tests.flatMap(WordRule.sleeping.violations))
    }

    @Test("What runs in apps needs nothing newer than iOS 17") func newerSystems() throws {
        let files = sources.filter { WordRule.appTargets.contains($0.target) }
        try #require(!files.isEmpty)
        expectNone(files.flatMap(WordRule.newerSystems.violations))
    }

    @Test("No test is switched off") func disabledTests() {
        expectNone(tests.flatMap(WordRule.disabledTests.violations))
    }

    @Test("Every relative link of the documents is alive") func links() throws {
        let documents = try Repository.markdownFiles()
        let texts = Dictionary(documents.map { ($0.path, $0.text) }) { first, _ in first }
        let rule = LinkRule(exists: Repository.contains, text: { texts[$0] })
        expectNone(documents.flatMap(rule.violations))
    }

    @Test("Swift code in the documents is compiled") func examples() throws {
        // Apple's systems compile these, and `make vapor`; `AppleSourceTests` parses them.
        let apps = try [
            "Examples/Juice", "Examples/Minimal", "Examples/HelloVapor", "Sources/App/SignInKitUI",
        ]
        .flatMap(Repository.swiftFiles)
        let rule = ExampleRule(sources: tests + apps)
        // TutorialTests compares these pages with examples, which are other packages.
        let tutorials = Tutorial.all.map(\.path)
        let documents = try Repository.markdownFiles().filter { !tutorials.contains($0.path) }
        expectNone(documents.flatMap(rule.violations))
    }

    @Test("Python code of the stories is run") func storyExamples() throws {
        let python = try Repository.pythonFiles(below: "Tests/Python")
        let rule = ExampleRule(sources: python, language: "python")
        let stories = try Repository.markdownFiles().filter { $0.path.contains("/stories/") }
        expectNone(stories.flatMap(rule.violations))
    }

    @Test("Every code of a refusal has a sentence in every language of the pages")
    func sentences() throws {
        let files = try Repository.jsonFiles(below: SentenceRule.languages)
        try #require(files.count >= 2)
        let texts = try Dictionary(
            uniqueKeysWithValues: files.map { file in
                let texts = try JSONDecoder()
                    .decode([String: String].self, from: Data(file.text.utf8))
                return (file.path, Set(texts.keys))
            }
        )
        let refusing = sources.filter { file in
            SentenceRule.folders.contains { file.path.hasPrefix($0 + "/") }
        }
        try #require(refusing.flatMap(SentenceRule.codes).count > 20)
        expectNone(refusing.flatMap(SentenceRule(texts: texts).violations))
    }

    private func expectNone(
        _ violations: [Violation],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(violations.isEmpty, "\(violations.report)", sourceLocation: sourceLocation)
    }
}
