/// What came of one check, and why.
package struct Finding: Hashable, Sendable {
    package enum Verdict: String, CaseIterable, Hashable, Sendable {
        case holds
        case fails
        /// Not wrong by a rule that binds, but worth a change.
        case advice
        case notExamined = "not_examined"
    }

    package let verdict: Verdict
    package let reason: String

    static func holds(_ reason: String) -> Finding { Finding(verdict: .holds, reason: reason) }
    static func fails(_ reason: String) -> Finding { Finding(verdict: .fails, reason: reason) }
    static func advice(_ reason: String) -> Finding { Finding(verdict: .advice, reason: reason) }
    static func notExamined(_ reason: String) -> Finding {
        Finding(verdict: .notExamined, reason: reason)
    }

    /// The same finding for a rule that only advises.
    var asAdvice: Finding { verdict == .fails ? .advice(reason) : self }
}
