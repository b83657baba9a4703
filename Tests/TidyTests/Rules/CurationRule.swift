/// What a module shows to others has its place in the module's documentation.
struct CurationRule {
    /// The page at the root of the module's catalog.
    let page: SourceFile

    /// Public types and functions that stand under no topic of the page.
    func violations(in source: SourceFile) -> [Violation] {
        let form =
            /public (?:final )?(?:(?:struct|enum|class|actor|protocol) (\w+)|func (\w+)).*/
        return source.codeLines.enumerated().compactMap { index, line in
            guard let names = line.wholeMatch(of: form)?.output,
                let name = names.1 ?? names.2, !isCurated(name)
            else { return nil }
            let message = "\(name) stands under no topic of \(page.path)"
            return Violation(path: source.path, line: index + 1, message: message)
        }
    }

    private func isCurated(_ name: Substring) -> Bool {
        page.lines.contains { line in
            ["- ``\(name)``", "- ``\(name)(", "- ``\(name)/\(name)``"].contains {
                line.hasPrefix($0)
            }
        }
    }
}
