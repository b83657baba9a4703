/// What a module shows to others has its place in the module's documentation.
struct CurationRule {
    let page: SourceFile

    /// Public types and functions that stand under no topic of the page.
    ///
    /// A link to what only some systems have is broken on the others: the page may name it without one.
    func violations(in source: SourceFile) -> [Violation] {
        let isConditional = source.codeLines.first { !$0.isEmpty }?.hasPrefix("#if ") ?? false
        let form =
            /(?:@MainActor )?public (?:final )?(?:(?:struct|enum|class|actor|protocol) (\w+)|func (\w+)).*/
        return source.codeLines.enumerated().compactMap { index, line in
            let line = isConditional && line.hasPrefix("    ") ? line.dropFirst(4) : line
            guard let names = line.wholeMatch(of: form)?.output, let name = names.1 ?? names.2,
                !isCurated(name), !(isConditional && isNamed(name))
            else { return nil }
            let message = "\(name) stands under no topic of \(page.path)"
            return Violation(path: source.path, line: index + 1, message: message)
        }
    }

    /// Whether a sentence has the name; a list of topics takes links only.
    private func isNamed(_ name: Substring) -> Bool {
        page.text.contains(" `\(name)") || page.text.contains("\n`\(name)")
    }

    private func isCurated(_ name: Substring) -> Bool {
        page.lines.contains { line in
            ["- ``\(name)``", "- ``\(name)(", "- ``\(name)/\(name)``"].contains {
                line.hasPrefix($0)
            }
        }
    }
}
