import Foundation
import Testing

/// What a reader of the tutorial pastes is what was run.
@Suite("The tutorial of the Vapor app") struct VaporTutorialTests {
    static let path = "docs/tutorials/vapor-app.md"
    private static let example = "Examples/HelloVapor/"
    private static let growing: Set<String> = [
        "Package.swift", "Sources/HelloVapor/configure.swift", "Sources/HelloVapor/routes.swift",
        "Resources/Views/account.leaf",
    ]

    @Test("Has the files of the example") func files() throws {
        let document = try #require(try Repository.markdownFiles().first { $0.path == Self.path })
        let paths = Set(TutorialRule.blocks(of: document).compactMap(\.path))
        try #require(paths.isSuperset(of: Self.growing) && paths.count > 15)
        let violations = try TutorialRule(files: files(paths), growing: Self.growing)
            .violations(in: document)
        #expect(violations.isEmpty, "\(violations.report)")
    }

    @Test("A file that differs, and one that the example lacks, are found") func mistake() {
        let rule = TutorialRule(files: ["A.swift": "a\nb\nc\n"], growing: [])
        func messages(_ name: String, _ code: String, _ rule: TutorialRule) -> [Int] {
            let text = "\(name)\n\n```swift\n\(code)\n```\n"
            return rule.violations(in: SourceFile(path: "T.md", text: text)).map(\.line)
        }
        #expect(messages("`A.swift`:", "a\nb\nc", rule).isEmpty)
        #expect(messages("`A.swift`:", "a\nc", rule) == [3])
        #expect(messages("`B.swift`:", "a\nb\nc", rule) == [3])
        #expect(messages("A sentence.", "a\nb\nc", rule) == [3])
        let growing = TutorialRule(files: rule.files, growing: ["A.swift"])
        #expect(messages("`A.swift`:", "a\nc", growing).isEmpty)
        #expect(messages("`A.swift`:", "c\na", growing) == [3])
    }

    /// Those of the files that the example has.
    private func files(_ paths: Set<String>) throws -> [String: String] {
        let existing = paths.filter { Repository.contains(Self.example + $0) }
        return try Dictionary(
            uniqueKeysWithValues: existing.map { path in
                let url = Repository.root.appending(path: Self.example + path)
                return (path, try String(contentsOf: url, encoding: .utf8))
            }
        )
    }
}
