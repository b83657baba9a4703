/// A setting that the server can't start with, and what mends it.
public struct ConfigurationError: Error, Hashable, Sendable {
    /// The setting's name, such as `SIWA_KEY_FILE`.
    public let variable: String
    /// What is wrong, in lower case; never the value of a secret.
    public let message: String
    /// What to write instead.
    public let mend: String

    package init(_ variable: String, _ message: String, mend: String) {
        self.variable = variable
        self.message = message
        self.mend = mend
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// The name and what is wrong, then the mend on its own line.
    public var description: String { "\(variable): \(message)\n\(mend)" }
}
