/// Why a test could not go on.
public struct TestAppleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened, in one sentence.
    public let description: String

    /// Makes an error.
    public init(_ description: String) { self.description = description }
}
