/// One file's path and text, from the disk or made up as a sample.
struct SourceFile {
    let path: String
    let text: String

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// The lines without comments and literals, well enough for ``WordRule``: line by line.
    var codeLines: [String] {
        var isInText = false
        return lines.map { line in
            guard !line.contains("\"\"\"") else {
                isInText.toggle()
                return ""
            }
            guard !isInText else { return "" }
            let parts = line.replacing("\\\"", with: "")
                .split(separator: "\"", omittingEmptySubsequences: false)
            let code = parts.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
                .joined(separator: "\"")
            return String(code[..<(code.firstRange(of: "//")?.lowerBound ?? code.endIndex)])
        }
    }

    /// The target whose folder holds the file, as in `Sources/Server/Accounts` and `Tests/TidyTests`.
    var target: String {
        let parts = path.split(separator: "/")
        let index = parts.first == "Sources" ? 2 : 1
        return index < parts.count ? String(parts[index]) : ""
    }
}
