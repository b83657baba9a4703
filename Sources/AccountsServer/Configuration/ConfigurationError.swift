/// A setting that the server can't start with, and what fixes it.
public struct ConfigurationError: Error, Hashable, Sendable {
    /// The setting's name, such as `SIWA_KEY_FILE`.
    public let variable: String
    /// What is wrong, in lower case; never the value of a secret.
    public let message: String
    /// What to write instead.
    public let fix: String

    package init(_ variable: String, _ message: String, fix: String) {
        self.variable = variable
        self.message = message
        self.fix = fix
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// The name and what is wrong, then the fix on its own line.
    public var description: String { "\(variable): \(message)\n\(fix)" }
}
