/// A test that a document names, as `Suite.function` or in Python as `file.py::function`, exists.
struct TestNameRule {
    let tests: [SourceFile]

    func violations(in document: SourceFile) -> [Violation] {
        document.lines.enumerated().flatMap { index, line in
            (missing(in: line) + missingInPython(in: line)).map {
                let message = "there is no test \($0)"
                return Violation(path: document.path, line: index + 1, message: message)
            }
        }
    }

    /// The names in one line; `.function` alone means the suite named before it.
    private func missing(in line: Substring) -> [String] {
        var suite: Substring?
        return line.matches(of: /`([A-Z]\w*Tests)?\.(\w+)`/).compactMap { match in
            suite = match.output.1 ?? suite
            guard let suite else { return nil }
            let function = match.output.2
            return exists(function, in: suite) ? nil : "\(suite).\(function)"
        }
    }

    private func missingInPython(in line: Substring) -> [String] {
        line.matches(of: /`(test_\w+\.py)::(\w+)`/).compactMap { match in
            let (_, name, function) = match.output
            let isThere = tests.contains { file in
                file.path.hasSuffix("/\(name)") && file.text.contains("\ndef \(function)(")
            }
            return isThere ? nil : "\(name)::\(function)"
        }
    }

    private func exists(_ function: Substring, in suite: Substring) -> Bool {
        tests.contains { file in
            file.path.hasSuffix("/\(suite).swift")
                && ["(", "<"].contains { file.text.contains("func \(function)\($0)") }
        }
    }
}
