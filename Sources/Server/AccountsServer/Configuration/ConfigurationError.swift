/// An invalid setting, and how to fix it.
package struct ConfigurationError: Error, Hashable, Sendable {
    /// The setting's name, such as `SIWA_KEY_FILE`.
    package let variable: String
    /// The problem, in lower case; never the value of a secret.
    package let message: String
    /// The way to fix it.
    package let fix: String

    package init(_ variable: String, _ message: String, fix: String) {
        self.variable = variable
        self.message = message
        self.fix = fix
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// The name and the problem, then the fix on its own line.
    package var description: String { "\(variable): \(message)\n\(fix)" }
}

/// All invalid settings, which can be fixed together.
package struct ConfigurationErrors: Error, Hashable, Sendable {
    /// The errors, in the order in which the settings are read; at least one.
    package let mistakes: [ConfigurationError]

    init(_ mistakes: [ConfigurationError]) {
        self.mistakes = mistakes
    }
}

extension ConfigurationErrors: CustomStringConvertible {
    /// The errors, each with its fix.
    package var description: String { mistakes.map(\.description).joined(separator: "\n") }
}

/// Collects errors, so one invalid setting does not hide the others.
struct MistakeList {
    private(set) var all: [ConfigurationError] = []

    var isEmpty: Bool { all.isEmpty }

    /// Returns the value of a step; nil when it threw an error.
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
