/// One file's path and text, from the disk or made up as a sample.
struct SourceFile {
    let path: String
    let text: String

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// The lines without what stands in comments and string literals.
    var codeLines: [Substring] {
        SwiftCode.strip(text).split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The target whose folder holds the file: the path's second part.
    var target: String {
        let parts = path.split(separator: "/")
        return parts.count > 1 ? String(parts[1]) : ""
    }
}
