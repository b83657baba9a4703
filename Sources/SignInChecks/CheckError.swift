/// Why a run could not go on, and the next right step.
package struct CheckError: Error, Hashable, Sendable {
    /// What went wrong, in one line.
    package let message: String
    /// What to do about it.
    package let hint: String

    package init(_ message: String, hint: String) {
        self.message = message
        self.hint = hint
    }
}
