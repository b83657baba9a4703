/// An error of ``TestApple``, such as an unexpected response of the emulator.
public struct TestAppleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A description of the error, in one sentence.
    public let description: String

    /// Creates an error with a description.
    public init(_ description: String) { self.description = description }
}
