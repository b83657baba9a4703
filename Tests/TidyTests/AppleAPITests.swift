import Testing

/// docs/reference/apple-api.md names all that the app side uses of Apple's frameworks.
@Suite("The table of Apple's APIs is whole") struct AppleAPITests {
    private static let page = "docs/reference/apple-api.md"
    private let files: [SourceFile]
    private let rule: AppleAPIRule

    init() throws {
        let sources = try Repository.swiftFiles(below: "Sources")
            .filter { !$0.path.contains(".docc/") }
        let examples = try Repository.swiftFiles(below: "Examples/Juice")
        files =
            sources.filter {
                ["SignInKit", "SignInKitUI", "JuiceApp"].contains($0.target)
            } + examples
        let page = try #require(Repository.markdownFiles().first { $0.path == Self.page })
        rule = AppleAPIRule(page: page, sources: files)
    }

    @Test("Whatever is used stands in the table") func whole() throws {
        try #require(files.flatMap(rule.names).count > 20)
        let violations = files.flatMap(rule.violations)
        #expect(violations.isEmpty, "\(violations.report)")
    }

    @Test("Whatever stands in the table is used, or is there on Linux") func current() {
        let used = Set(files.flatMap(rule.names).map(\.name))
        let unused = rule.rows.filter { !$0.value.isHere && !used.contains($0.key) }
        #expect(unused.isEmpty)
    }

    @Test("What is newer than the oldest systems of the package is bold") func floor() throws {
        let oldest = ["iOS": 17, "macOS": 15, "tvOS": 17, "watchOS": 10, "visionOS": 1]
        let newer = rule.rows.filter { !$0.value.newerSystems(than: oldest).isEmpty }
        #expect(newer.isEmpty)
    }

    @Test("A use of what some system lacks asks for the system first") func availability() {
        for file in files where rule.names(in: file).contains(where: isNewer) {
            #expect(file.text.contains("available("), "\(file.path)")
        }
    }

    private func isNewer(_ name: (name: String, line: Int)) -> Bool {
        rule.rows[name.name]?.isNewer ?? false
    }

    @Test("A name outside the table and a version above the floor are found") func sample() throws {
        let page = SourceFile(
            path: "A.md",
            text: """
                | `View`, `Type.Inner` | iOS 13, macOS 10.15 | A | no |
                | `.new` | iOS 18 | A | no |
                | `.bold` | **iOS 18**; not macOS | A | yes |
                """
        )
        let text = """
            import SwiftUI
            struct Own: View {
                var body: some View {
                    Own()
                        .padding()
                    Text("Label").italic()
                    let label: Double = 1
                }
            }
            """
        let file = SourceFile(path: "S.swift", text: text)
        let rule = AppleAPIRule(page: page, sources: [file])
        #expect(rule.violations(in: file).map(\.line) == [5, 6, 6])
        #expect(Set(rule.rows.keys) == ["View", "Type", "Inner", ".new", ".bold"])
        #expect(rule.rows["View"]?.newerSystems(than: ["iOS": 17, "macOS": 15]) == [])
        #expect(rule.rows[".new"]?.newerSystems(than: ["iOS": 17]) == ["iOS"])
        #expect(rule.rows[".bold"]?.newerSystems(than: ["iOS": 17]) == [])
        #expect(rule.rows[".bold"]?.isNewer == true)
        let other = SourceFile(path: "O.swift", text: "import Foundation\nlet text = Text()")
        #expect(rule.violations(in: other).isEmpty)
    }
}
