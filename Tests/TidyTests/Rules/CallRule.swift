/// Every call of the library has a test against the emulated Apple in process, and one over HTTP.
struct CallRule {
    /// What makes an emulated Apple for a test.
    enum Way: String, CaseIterable {
        case inProcess = "withAppleEmulator"
        case overHTTP = "withServedApple"
    }

    /// The tests' sources.
    let tests: [SourceFile]

    /// What is made directly, and is a call by another spelling.
    static let types = ["AuthorizationCallback"]

    func violations(in library: [SourceFile]) -> [Violation] {
        library.flatMap { file in
            Self.calls(of: file).flatMap { call in missing(call.name, file, call.line) }
        }
    }

    /// Those of ``types`` that one of the ways lacks, each with the way.
    func missingTypes() -> [String] {
        Self.types.flatMap { type in
            Way.allCases.filter { !isTested(type + "(", $0) }.map { "\(type) \($0.rawValue)" }
        }
    }

    /// The public functions of a file, with their lines.
    static func calls(of file: SourceFile) -> [(name: String, line: Int)] {
        file.codeLines.enumerated().compactMap { index, line in
            line.firstMatch(of: /^\s*public func (\w+)/).map { (String($0.output.1), index + 1) }
        }
    }

    private func missing(_ name: String, _ file: SourceFile, _ line: Int) -> [Violation] {
        Way.allCases.filter { !isTested(".\(name)(", $0) }.map {
            Violation(
                path: file.path,
                line: line,
                message: "\(name) has no test with \($0.rawValue)"
            )
        }
    }

    private func isTested(_ call: String, _ way: Way) -> Bool {
        tests.contains { file in
            let code = file.codeLines.joined(separator: "\n")
            return code.contains(way.rawValue) && code.contains(call)
        }
    }
}
