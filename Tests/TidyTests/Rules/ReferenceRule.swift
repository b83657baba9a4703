/// What the emulator understands stands in its reference page.
struct ReferenceRule {
    let page: SourceFile

    func violations(in source: SourceFile) -> [Violation] {
        missing(in: source.text).map {
            Violation(path: source.path, line: 1, message: "\(page.path) lacks \($0)")
        }
    }

    private func missing(in source: String) -> [String] {
        routes(in: source).filter { !hasRoute($0.method, $0.path) }.map {
            "\($0.method) /\($0.path)"
        }
            + words(in: source).filter { !hasWord($0) }
    }

    private func routes(in source: String) -> [(method: String, path: String)] {
        source.matches(of: /ControlRoute\(\s*\.(get|post|put|patch|delete)\("([^"]+)",/).map {
            ($0.output.1.uppercased(), String($0.output.2))
        }
    }

    /// The names of fields and sections; those of switches are in a table that is drawn.
    private func words(in source: String) -> [String] {
        let lists = source.matches(of: /known: \[([^\]]*)\]/).flatMap {
            $0.output.1.matches(of: /"([a-z_]+)"/).map { String($0.output.1) }
        }
        let sections = source.matches(of: /case \.\w+: "([a-z_]+)"\n/)
        return lists
            + (source.contains("var section:") ? sections.map { String($0.output.1) } : [])
    }

    private func hasRoute(_ method: String, _ path: String) -> Bool {
        page.lines.contains { line in
            line.contains("`\(method)")
                && (line.contains("/\(path)`") || line.contains("/\(path)?"))
        }
    }

    private func hasWord(_ word: String) -> Bool {
        [
            "`\(word)`", "`\(word)=", "{\(word)", " \(word):", " \(word)?", "\"\(word)\":",
            "\n\(word):",
        ].contains { page.text.contains($0) }
    }
}
