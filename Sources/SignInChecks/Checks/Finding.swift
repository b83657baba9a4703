/// What came of one check, and why.
package struct Finding: Hashable, Sendable {
    package enum Verdict: String, CaseIterable, Hashable, Sendable {
        case holds
        case fails
        /// Not wrong by a rule that binds, but worth a change.
        case advice
        /// It needs what this server does not have, or what nobody said.
        case notExamined = "not_examined"
        /// It was tried, and came to no verdict.
        case error
    }

    package let verdict: Verdict
    package let reason: String
    /// What to do so that the check comes to a verdict; nil when it did.
    package var hint: String?

    static func holds(_ reason: String) -> Finding { Finding(verdict: .holds, reason: reason) }
    static func fails(_ reason: String) -> Finding { Finding(verdict: .fails, reason: reason) }
    static func advice(_ reason: String) -> Finding { Finding(verdict: .advice, reason: reason) }
    static func notExamined(_ reason: String) -> Finding {
        Finding(verdict: .notExamined, reason: reason)
    }
    static func error(_ error: CheckError) -> Finding {
        Finding(verdict: .error, reason: error.message, hint: error.hint)
    }

    /// The same finding for a rule that only advises.
    var asAdvice: Finding { verdict == .fails ? .advice(reason) : self }
}
