/// What the app side uses of Apple's frameworks stands in a table, with the system that has it first.
///
/// No compiler here sees those lines: the table is what they are checked against by eye.
struct AppleAPIRule {
    /// What a line of the table says of a name.
    struct Row: Equatable {
        let line: Int
        /// The first systems that have it, as `iOS 13, macOS 10.15`; those above the package's are bold.
        let versions: String
        /// Whether the package has it on Linux too; else it stands there only because it is used.
        let isHere: Bool
    }

    /// The frameworks of Apple's systems alone.
    static let frameworks: Set<String> = [
        "AppKit", "AuthenticationServices", "Security", "SwiftUI", "UIKit",
    ]

    /// Names that are Swift's or Foundation's on every system.
    private static let everywhere: Set<String> = [
        "Any", "AnyObject", "Array", "AsyncStream", "Bool", "Bundle", "CaseIterable", "Codable",
        "Data", "Date",
        "Dictionary", "Double", "Equatable", "Error", "FileManager", "Hashable", "Identifiable",
        "Int", "Int32",
        "MainActor", "NSError", "NSLocalizedFailureReasonErrorKey", "NSUnderlyingErrorKey", "Never",
        "NotificationCenter", "ProcessInfo", "RawRepresentable", "Result",
        "Self", "Sendable",
        "Set", "String", "Task", "UInt8", "URL", "UUID", "Void",
    ]

    private let page: String
    /// The table's rows, by name.
    let rows: [String: Row]
    /// What our own sources declare.
    private let own: Set<String>

    /// - Parameters:
    ///   - page: the document with the table.
    ///   - sources: our own sources, whose names are not Apple's.
    init(page: SourceFile, sources: [SourceFile]) {
        self.page = page.path
        rows = Dictionary(Self.rows(of: page)) { first, _ in first }
        own = Set(sources.flatMap(Self.declared))
    }

    /// What a file uses and the table lacks.
    func violations(in file: SourceFile) -> [Violation] {
        names(in: file).filter { rows[$0.name] == nil }.map {
            Violation(
                path: file.path,
                line: $0.line,
                message: "\($0.name) is in no row of the table"
            )
        }
    }

    /// Apple's names in a file, each once, with the line where it stands first.
    func names(in file: SourceFile) -> [(name: String, line: Int)] {
        let imports = Set(ImportRule.imports(of: file).map(\.module))
        guard !imports.isDisjoint(with: Self.frameworks) else { return [] }
        var seen: Set<String> = []
        var names: [(name: String, line: Int)] = []
        for (index, line) in file.codeLines.enumerated() where !Self.isSetAside(line) {
            for name in Self.words(of: line, withViews: imports.contains("SwiftUI"))
            where !own.contains(name) && seen.insert(name).inserted {
                names.append((name, index + 1))
            }
        }
        return names
    }

    /// Imports and conditions name modules.
    private static func isSetAside(_ line: Substring) -> Bool {
        line.contains("import ") || line.drop { $0 == " " }.hasPrefix("#")
    }

    /// Types, keys of the keychain and, in views, modifiers.
    private static func words(of line: Substring, withViews: Bool) -> [String] {
        let prefixed = line.matches(of: /\b(?:AS|Sec|kSec|errSec|UI|NS|CF)[A-Z]\w*/)
            .map { String($0.output) }
            .filter { !everywhere.contains($0) }
        guard withViews else { return prefixed }
        let types = line.matches(of: /\b[A-Z]\w*[a-z]\w*/).map { String($0.output) }
            .filter { !everywhere.contains($0) }
        let modifiers = line.matches(of: /(?:^\s*|\)|\})\.([a-z]\w*)/).map { String($0.output.1) }
        return prefixed + types + modifiers.map { "." + $0 }
    }

    /// The names that a file declares: types, their parameters, cases and functions.
    private static func declared(in file: SourceFile) -> [String] {
        file.codeLines.flatMap { line in
            let types = line.matches(
                of: /\b(?:struct|class|enum|actor|protocol|typealias|associatedtype) (\w+)/
            ).map { String($0.output.1) }
            let members = line.matches(of: /\b(?:func|case|let|var) `?(\w+)/).map {
                "." + $0.output.1
            }
            return types + members + line.matches(of: #/<(\w+): /#).map { String($0.output.1) }
        }
    }

    /// The first cell has the names, the second the systems, the fourth whether it is on Linux.
    private static func rows(of page: SourceFile) -> [(String, Row)] {
        page.lines.enumerated().flatMap { index, line -> [(String, Row)] in
            let cells = line.split(separator: "|")
            guard cells.count >= 4, cells[0].contains("`") else { return [] }
            let row = Row(
                line: index + 1,
                versions: String(cells[1]),
                isHere: cells[3].contains("yes")
            )
            return cells[0].matches(of: /`([^`]+)`/).flatMap { names(in: $0.output.1) }
                .map { ($0, row) }
        }
    }

    /// `Type.member` names both; a member that begins with a small letter keeps its dot.
    private static func names(in code: Substring) -> [String] {
        code.matches(of: /\.?[A-Za-z]\w*/).map { match in
            let name = match.output
            return String(
                name.dropFirst().first?.isUppercase == true && name.hasPrefix(".")
                    ? name.dropFirst() : name
            )
        }
    }
}

extension AppleAPIRule.Row {
    /// The systems of the row that are newer than the package's oldest ones, and not bold.
    ///
    /// - Parameter oldest: the oldest systems that the package runs on, by name.
    /// - Returns: their names.
    func newerSystems(than oldest: [String: Int]) -> [String] {
        versions.matches(of: /(\*\*)?([a-z]+OS) (\d+)/).compactMap { match in
            guard let floor = oldest[String(match.output.2)],
                let version = Int(match.output.3), version > floor, match.output.1 == nil
            else { return nil }
            return String(match.output.2)
        }
    }

    /// Whether some system of the package lacks it, so that a use asks `#available` first.
    var isNewer: Bool { versions.contains("**") }
}
