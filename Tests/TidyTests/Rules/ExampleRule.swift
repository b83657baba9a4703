/// Swift code in a document stands, line for line, in a source file that is compiled.
struct ExampleRule {
    /// The compiled sources.
    let sources: [SourceFile]

    func violations(in document: SourceFile) -> [Violation] {
        let compiled = sources.map { Self.trimmed($0.lines).joined(separator: "\n") }
        return blocks(of: document).compactMap { line, code in
            let text = Self.trimmed(code).joined(separator: "\n")
            guard !compiled.contains(where: { $0.contains(text) }) else { return nil }
            let message = "this Swift code stands in no file that is compiled"
            return Violation(path: document.path, line: line, message: message)
        }
    }

    /// The blocks of Swift code, without their imports, which a source file has elsewhere.
    private func blocks(of document: SourceFile) -> [(line: Int, code: [Substring])] {
        var blocks: [(line: Int, code: [Substring])] = []
        var current: (line: Int, code: [Substring])?
        for (index, line) in document.lines.enumerated() {
            if line == "```swift" {
                current = (index + 1, [])
            } else if line == "```", let block = current {
                blocks.append(block)
                current = nil
            } else if !line.hasPrefix("import ") {
                current?.code.append(line)
            }
        }
        return blocks
    }

    private static func trimmed(_ lines: [Substring]) -> [Substring] {
        lines.map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
    }
}
