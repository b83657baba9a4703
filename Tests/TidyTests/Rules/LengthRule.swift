/// Small files and small functions: what is longer holds more than one idea.
enum LengthRule {
    static let maximumFileLineCount = 400
    static let maximumFunctionLineCount = 60

    static func violations(in file: SourceFile) -> [Violation] {
        fileViolations(in: file) + functionViolations(in: file)
    }

    private static func fileViolations(in file: SourceFile) -> [Violation] {
        let count = file.text.utf8.count { $0 == UInt8(ascii: "\n") }
        guard count > maximumFileLineCount else { return [] }
        let message = "the file has \(count) lines, \(maximumFileLineCount) is the limit"
        return [Violation(path: file.path, line: 1, message: message)]
    }

    private static func functionViolations(in file: SourceFile) -> [Violation] {
        FunctionFinder.functions(in: file.text).compactMap { function in
            guard function.lineCount > maximumFunctionLineCount else { return nil }
            let message =
                "the function has \(function.lineCount) lines, \(maximumFunctionLineCount) is the limit"
            return Violation(path: file.path, line: function.line, message: message)
        }
    }
}
