/// What the tests of a file run of that file.
enum TestReach {
    /// For each test its own code, and that of the functions in the file that it leads to.
    static func texts(of file: SourceFile) -> [String] {
        let functions = functions(of: file)
        return functions.filter(\.isTest).map { test in
            var text = test.text
            var left = functions.filter { !$0.isTest }
            while let index = left.firstIndex(where: { $0.isCalled(in: text) }) {
                text += "\n" + left.remove(at: index).text
            }
            return text
        }
    }

    private struct Function {
        let name: String
        let isTest: Bool
        let text: String

        /// With arguments, or with a closure alone.
        func isCalled(in text: String) -> Bool {
            text.contains(name + "(") || text.contains(name + " {")
        }
    }

    private static func functions(of file: SourceFile) -> [Function] {
        let lines = file.codeLines
        return FunctionFinder.functions(in: file.text).compactMap { function in
            let first = function.line - 1
            guard let match = lines[first].firstMatch(of: /func (\w+)/) else { return nil }
            // Its attributes stand above it, below the end of what is before.
            let above = lines[..<first].reversed().prefix { line in
                !line.isEmpty && !line.hasSuffix("}")
            }
            let isTest = ([lines[first]] + above).contains { $0.contains("@Test") }
            let end = min(first + function.lineCount, lines.count)
            let text = lines[first..<end].joined(separator: "\n")
            return Function(name: String(match.output.1), isTest: isTest, text: text)
        }
    }
}
