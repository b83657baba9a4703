import Foundation

/// Every text of the emulator's console is used, and every text that its pages name exists.
struct ConsoleTextRule {
    static let file = "Sources/AppleEmulatorPages/Resources/Languages/console.en.json"
    static let sheetFile = "Sources/AppleEmulatorPages/Resources/Languages/en.json"
    static let folders = ["Sources/AppleEmulatorPages", "Sources/AppleEmulatorServer"]

    /// The names of the console's texts.
    let names: Set<String>
    /// The names of the sheet's texts, which the console uses too.
    let sheetNames: Set<String>

    /// The texts that these templates and this code do not use, and those that templates lack.
    func violations(in templates: [SourceFile], _ code: [SourceFile]) -> [Violation] {
        let console = templates.filter { $0.path.contains(/\/(console|flow)\w*\.mustache$/) }
        let named = console.flatMap { file in
            file.text.matches(of: /words\.(\w+)/).map { String($0.output.1) }
        }
        let literals = code.flatMap { file in
            file.text.matches(of: /"([\w-]+)"/).map { String($0.output.1) }
        }
        // Names such as "section-\(rawValue)" and "\(noun)-many".
        let beginnings = code.flatMap { file in
            file.text.matches(of: /"([\w]+-)\\\(/).map { String($0.output.1) }
        }
        let used = Set(named + literals)
        let unused = names.subtracting(used).filter { name in
            let noun = name.split(separator: "-").dropLast().joined(separator: "-")
            return !beginnings.contains { name.hasPrefix($0) } && !used.contains(noun)
        }
        let missing = Set(named).subtracting(names).subtracting(sheetNames)
        return unused.sorted().map { violation("\($0) is not used") }
            + missing.sorted().map { violation("\($0) is missing") }
    }

    private func violation(_ message: String) -> Violation {
        Violation(path: Self.file, line: 1, message: message)
    }
}
