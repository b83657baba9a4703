/// The verdict of a check, and its reason.
package struct Finding: Hashable, Sendable {
    package enum Verdict: String, CaseIterable, Hashable, Sendable {
        case holds
        case fails
        /// The server broke no binding rule, but a change is advisable.
        case advice
        /// The check needs a feature that the server does not have, or an option that was not given.
        case notExamined = "not_examined"
        /// The check ended without a verdict.
        case error
    }

    package let verdict: Verdict
    package let reason: String
    /// How to get a verdict; nil if there is one.
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

    /// The length of a text with an examined server's words, in Unicode scalars.
    private static let maximumTextCount = 600

    /// The finding with the server's words as `printable(_:)` returns them.
    var printable: Finding {
        var finding = Finding(verdict: verdict, reason: Self.printable(reason))
        finding.hint = hint.map(Self.printable)
        return finding
    }

    /// The text without control and format characters, and with a bounded length.
    package static func printable(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let visible = scalars.prefix(maximumTextCount)
            .filter { ![.control, .format].contains($0.properties.generalCategory) }
        return String(String.UnicodeScalarView(visible))
            + (scalars.count > maximumTextCount ? "…" : "")
    }

    /// The same finding for a rule that only advises.
    var asAdvice: Finding { verdict == .fails ? .advice(reason) : self }
}
