/// One place where a rule is broken.
struct Violation: CustomStringConvertible {
    let path: String
    let line: Int
    let message: String

    var description: String { "\(path):\(line): \(message)" }
}

extension [Violation] {
    /// One violation a line, for the message of a failed test.
    var report: String { map { "\n" + $0.description }.joined() }
}
