/// Every call of the library is made by a test that starts an emulated Apple in process, and by one
/// that starts one over HTTP.
///
/// A test counts when both stand in its function, or in functions of its file that it calls. Whether
/// the call goes to that Apple, and what is expected of its answer, is for the test's reader to see.
struct CallRule {
    /// What starts an emulated Apple for a test.
    enum Start: String, CaseIterable {
        case inProcess = "withAppleEmulator"
        case overHTTP = "withServedApple"
    }

    /// What is made directly, and is a call by another spelling.
    static let types = ["AuthorizationCallback"]

    /// The code that each test runs which starts an emulated Apple.
    private let tests: [String]

    init(tests: [SourceFile]) {
        self.tests = tests.filter { file in
            Start.allCases.contains { file.text.contains($0.rawValue) }
        }
        .flatMap(TestReach.texts)
    }

    func violations(in library: [SourceFile]) -> [Violation] {
        library.flatMap { file in
            Self.calls(of: file).flatMap { call in missing(call.name, file, call.line) }
        }
    }

    /// Those of ``types`` that are made after only one of the starts, each with the other.
    func missingTypes() -> [String] {
        Self.types.flatMap { type in
            Start.allCases.filter { !isTested(type + "(", $0) }.map { "\(type) \($0.rawValue)" }
        }
    }

    /// The public functions of a file, with their lines.
    static func calls(of file: SourceFile) -> [(name: String, line: Int)] {
        file.codeLines.enumerated().compactMap { index, line in
            line.firstMatch(of: /^\s*public func (\w+)/).map { (String($0.output.1), index + 1) }
        }
    }

    private func missing(_ name: String, _ file: SourceFile, _ line: Int) -> [Violation] {
        Start.allCases.filter { !isTested(".\(name)(", $0) }.map {
            Violation(
                path: file.path,
                line: line,
                message: "\(name) has no test with \($0.rawValue)"
            )
        }
    }

    private func isTested(_ call: String, _ start: Start) -> Bool {
        tests.contains { $0.contains(start.rawValue) && $0.contains(call) }
    }
}
