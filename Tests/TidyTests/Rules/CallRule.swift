/// Every call of the library has a test against the emulated Apple in process, and one over HTTP.
struct CallRule {
    /// What makes an emulated Apple for a test.
    enum Way: String, CaseIterable {
        case inProcess = "withAppleEmulator"
        case overHTTP = "withServedApple"
    }

    /// The tests' sources.
    let tests: [SourceFile]

    func violations(in library: [SourceFile]) -> [Violation] {
        library.flatMap { file in
            Self.calls(of: file).flatMap { call in missing(call.name, file, call.line) }
        }
    }

    /// The public functions of a file, with their lines.
    static func calls(of file: SourceFile) -> [(name: String, line: Int)] {
        file.codeLines.enumerated().compactMap { index, line in
            line.firstMatch(of: /^\s*public func (\w+)/).map { (String($0.output.1), index + 1) }
        }
    }

    private func missing(_ name: String, _ file: SourceFile, _ line: Int) -> [Violation] {
        Way.allCases.filter { !isTested(name, $0) }.map {
            Violation(
                path: file.path,
                line: line,
                message: "\(name) has no test with \($0.rawValue)"
            )
        }
    }

    private func isTested(_ name: String, _ way: Way) -> Bool {
        tests.contains { file in
            let code = file.codeLines.joined(separator: "\n")
            return code.contains(way.rawValue) && code.contains(".\(name)(")
        }
    }
}
