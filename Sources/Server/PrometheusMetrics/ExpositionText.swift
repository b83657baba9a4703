/// Text in the exposition format 0.0.4: a header for each name and a line for each value.
///
/// Source: [Text format details](https://prometheus.io/docs/instrumenting/exposition_formats/#text-format-details)
struct ExpositionText {
    private(set) var text = ""

    mutating func begin(_ name: String, _ kind: MetricKind, help: String?) {
        if let help { text += "# HELP \(name) \(MetricName.escaped(help, isQuoted: false))\n" }
        text += "# TYPE \(name) \(kind.rawValue)\n"
    }

    mutating func line(_ name: String, _ labels: String, _ value: Double) {
        text += labels.isEmpty ? name : "\(name){\(labels)}"
        text += " \(Self.number(value))\n"
    }

    /// The number in Go's syntax, without a fraction if it is whole.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map(String.init) ?? "\(value)"
    }
}

/// Converts names and labels to the exposition format.
enum MetricName {
    /// Replaces characters other than letters, digits, `_` and `:` by `_`; adds `_` before a leading digit.
    static func valid(_ name: String) -> String { valid(name, allowing: ":") }

    /// All labels in sorted order, which does not depend on the caller.
    static func labels(_ dimensions: [(String, String)]) -> String {
        dimensions
            .map { (valid($0.0, allowing: nil), escaped($0.1, isQuoted: true)) }
            .sorted { $0 < $1 }
            .map { "\($0.0)=\"\($0.1)\"" }
            .joined(separator: ",")
    }

    static func escaped(_ text: String, isQuoted: Bool) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        return isQuoted ? escaped.replacing("\"", with: "\\\"") : escaped
    }

    private static func valid(_ name: String, allowing other: Character?) -> String {
        let text = String(
            name.map { character in
                let isKept =
                    character.isASCII && (character.isLetter || character.isNumber)
                    || character == "_" || character == other
                return isKept ? character : "_"
            }
        )
        return text.first?.isNumber == false ? text : "_" + text
    }
}
