/// Swift code in a document stands, line for line, in a source file that is compiled.
struct ExampleRule {
    /// The lines of the compiled sources.
    private let files: [[Substring]]
    /// Where a line stands, file and place in it: to compare whole files would take long.
    private let places: [Substring: [(file: Int, index: Int)]]

    init(sources: [SourceFile]) {
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
        blocks(of: document).compactMap { line, code in
            guard !isCompiled(Self.trimmed(code)) else { return nil }
            let message = "this Swift code stands in no file that is compiled"
            return Violation(path: document.path, line: line, message: message)
        }
    }

    private func isCompiled(_ code: [Substring]) -> Bool {
        guard let first = code.first else { return true }
        return (places[first] ?? []).contains { files[$0.file][$0.index...].starts(with: code) }
    }

    /// The blocks of Swift code, without their imports, which a source file has elsewhere.
    private func blocks(of document: SourceFile) -> [(line: Int, code: [Substring])] {
        var blocks: [(line: Int, code: [Substring])] = []
        var current: (line: Int, code: [Substring])?
        for (index, text) in document.lines.enumerated() {
            let line = text.drop { $0 == " " }
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
