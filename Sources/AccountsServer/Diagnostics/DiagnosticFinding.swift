/// What one check of a configuration found.
package struct DiagnosticFinding: Hashable, Sendable {
    package enum Outcome: String, Sendable {
        case ok
        case warning
        case failure = "FAIL"

        /// The word for programs.
        package var word: String { self == .failure ? "failure" : rawValue }
    }

    /// What was checked, in a few words.
    package let check: String
    package let outcome: Outcome
    /// What is there, or what is wrong and what to do; never a secret.
    package let advice: String

    package init(_ check: String, _ outcome: Outcome, _ advice: String) {
        self.check = check
        self.outcome = outcome
        self.advice = advice
    }
}
