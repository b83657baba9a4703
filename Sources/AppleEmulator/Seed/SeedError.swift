/// Why a seed, or a state that was exported, can't be used.
public struct SeedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line of the mistake, from 1, when it has one.
    public let line: Int?
    /// What is wrong, in one sentence.
    public let reason: String

    /// Makes an error.
    public init(line: Int?, reason: String) {
        self.line = line
        self.reason = reason
    }

    /// Line and reason in one line.
    public var description: String {
        if let line { "line \(line): \(reason)" } else { reason }
    }
}
