/// One reason for which Apple may have refused, and what to do about it.
///
/// The texts name identifiers and addresses from the configuration, never a secret, a code or a token.
public struct RefusalCause: Hashable, Sendable {
    /// The kinds of cause; their words are stable.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The word for programs.
        public let rawValue: String

        /// Makes a code from its word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The word itself.
        public var description: String { rawValue }
    }

    /// What it is, as a stable word for programs.
    public let code: Code
    /// What is wrong, in one sentence.
    public let explanation: String
    /// What to do about it.
    public let remedy: String
    /// Whether Apple's words or the request itself show it; others merely fit.
    public let isEvident: Bool
}

extension RefusalCause: CustomStringConvertible {
    /// What is wrong and what to do.
    public var description: String { "\(explanation) \(remedy)" }
}
