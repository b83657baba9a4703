/// A possible cause of an error that Apple returned, with a remedy.
///
/// The texts are English. They name identifiers and URLs from the configuration, never a secret, a
/// code or a token.
public struct RefusalCause: Hashable, Sendable {
    /// The code of a cause, which does not change between versions.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code as a string, such as `secret_expired`.
        public let rawValue: String

        /// Creates a code from its string.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The raw value.
        public var description: String { rawValue }
    }

    /// The code of the cause.
    public let code: Code
    /// The explanation of what is wrong, in one or two sentences.
    public let explanation: String
    /// The steps that solve the problem.
    public let remedy: String
    /// Whether Apple's description or the request proves the cause; if false, the cause is only possible.
    public let isEvident: Bool
}

extension RefusalCause: CustomStringConvertible {
    /// The explanation and the remedy.
    public var description: String { "\(explanation) \(remedy)" }
}
