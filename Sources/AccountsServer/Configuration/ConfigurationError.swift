/// A setting that the server can't start with, and what fixes it.
package struct ConfigurationError: Error, Hashable, Sendable {
    /// The setting's name, such as `SIWA_KEY_FILE`.
    package let variable: String
    /// What is wrong, in lower case; never the value of a secret.
    package let message: String
    /// What to write instead.
    package let fix: String

    package init(_ variable: String, _ message: String, fix: String) {
        self.variable = variable
        self.message = message
        self.fix = fix
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// The name and what is wrong, then the fix on its own line.
    package var description: String { "\(variable): \(message)\n\(fix)" }
}

/// All settings that the server can't start with, so that they can be fixed at once.
package struct ConfigurationErrors: Error, Hashable, Sendable {
    /// The mistakes, in the order in which the settings are read; at least one.
    package let mistakes: [ConfigurationError]

    init(_ mistakes: [ConfigurationError]) {
        self.mistakes = mistakes
    }
}

extension ConfigurationErrors: CustomStringConvertible {
    /// The mistakes, each with its fix.
    package var description: String { mistakes.map(\.description).joined(separator: "\n") }
}

/// Collects mistakes, so that reading goes on behind each.
struct MistakeList {
    private(set) var all: [ConfigurationError] = []

    var isEmpty: Bool { all.isEmpty }

    /// The value of a step; nil when it was a mistake.
    @discardableResult
    mutating func note<Value>(
        _ step: @autoclosure () throws(ConfigurationError) -> Value
    ) -> Value? {
        do {
            return try step()
        } catch {
            if !all.contains(error) { all.append(error) }
            return nil
        }
    }
}
