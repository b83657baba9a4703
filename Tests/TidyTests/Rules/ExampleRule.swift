/// Code in a document stands, line for line, in a source file that is compiled or run.
///
/// Swift code with imports is a complete file: the source file begins with it, with the same imports. A manifest is
/// resolved by test_package.py instead. Every block names its language: no rule would find its code otherwise.
struct ExampleRule {
    private let language: String
    /// The lines of the compiled sources.
    private let files: [[Substring]]
    /// Where a line stands, file and place in it: to compare whole files would take long.
    private let places: [Substring: [(file: Int, index: Int)]]

    init(sources: [SourceFile], language: String = "swift") {
        self.language = language
        files = sources.map { Self.trimmed($0.lines) }
        var places: [Substring: [(file: Int, index: Int)]] = [:]
        for (file, lines) in files.enumerated() {
            for (index, line) in lines.enumerated() {
                places[line, default: []].append((file, index))
            }
        }
        self.places = places
    }

    func violations(in document: SourceFile) -> [Violation] {
        blocks(of: document).compactMap { block in
            guard let message = message(block) else { return nil }
            return Violation(path: document.path, line: block.line, message: message)
        }
    }

    private func message(_ block: Block) -> String? {
        guard block.language == language else {
            return block.language.isEmpty ? "this code block names no language" : nil
        }
        let code = Self.trimmed(block.code)
        if code.first?.hasPrefix("// swift-tools-version") == true { return nil }
        let isFile = code.contains { $0.hasPrefix("import ") } && language == "swift"
        if isFile ? isBeginning(code) : isCompiled(code) { return nil }
        return "this code stands in no file that is compiled or run"
    }

    private func isCompiled(_ code: [Substring]) -> Bool {
        guard let first = code.first else { return true }
        return (places[first] ?? []).contains { files[$0.file][$0.index...].starts(with: code) }
    }

    private func isBeginning(_ code: [Substring]) -> Bool {
        files.contains { $0.starts(with: code) }
    }

    private struct Block {
        let language: Substring
        let line: Int
        var code: [Substring] = []
    }

    private func blocks(of document: SourceFile) -> [Block] {
        var blocks: [Block] = []
        var current: Block?
        for (index, text) in document.lines.enumerated() {
            let line = text.drop { $0 == " " }
            if let block = current {
                if line == "```" {
                    blocks.append(block)
                    current = nil
                } else {
                    current?.code.append(line)
                }
            } else if line.hasPrefix("```") {
                current = Block(language: line.dropFirst(3), line: index + 1)
            }
        }
        return blocks
    }

    private static func trimmed(_ lines: [Substring]) -> [Substring] {
        lines.map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
    }
}
