import Foundation
import Testing

/// A page from which the reader pastes the files of a finished example, a package of its own.
struct Tutorial: CustomStringConvertible, Sendable {
    static let all = [
        Tutorial(
            path: "docs/tutorials/hummingbird-app.md",
            example: "Examples/HelloApple/",
            growing: ["Package.swift"],
            fileCount: 3
        ),
        Tutorial(
            path: "docs/tutorials/vapor-app.md",
            example: "Examples/HelloVapor/",
            growing: [
                "Package.swift", "Sources/HelloVapor/HelloVapor.swift",
                "Sources/HelloVapor/People.swift", "Sources/HelloVapor/routes.swift",
            ],
            fileCount: 4
        ),
    ]

    let path: String
    let example: String
    /// The files that have more lines in the example than on the page.
    let growing: Set<String>
    let fileCount: Int

    var description: String { path }
}

/// The code on a tutorial's page is the code of its example.
@Suite("The tutorials with an example") struct TutorialTests {
    @Test("Have the files of the example", arguments: Tutorial.all)
    func files(tutorial: Tutorial) throws {
        let document = try #require(
            try Repository.markdownFiles().first { $0.path == tutorial.path }
        )
        let paths = Set(TutorialRule.blocks(of: document).compactMap(\.path))
        #expect(paths.isSuperset(of: tutorial.growing) && paths.count == tutorial.fileCount)
        let files = try files(paths, of: tutorial)
        let violations = TutorialRule(files: files, growing: tutorial.growing)
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
    private func files(_ paths: Set<String>, of tutorial: Tutorial) throws -> [String: String] {
        let existing = paths.filter { Repository.contains(tutorial.example + $0) }
        return try Dictionary(
            uniqueKeysWithValues: existing.map { path in
                let url = Repository.root.appending(path: tutorial.example + path)
                return (path, try String(contentsOf: url, encoding: .utf8))
            }
        )
    }
}
