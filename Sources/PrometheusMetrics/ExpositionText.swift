/// Text in the format 0.0.4: a line for each value, below a head for each name.
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

    /// As Go reads it, with whole numbers written as such.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map(String.init) ?? "\(value)"
    }
}

/// Names and labels as the format has them.
enum MetricName {
    /// Letters, digits, `_` and `:`, no digit first: whatever else stands there becomes `_`.
    static func valid(_ name: String) -> String { valid(name, allowing: ":") }

    /// All labels, in one order whoever wrote them.
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
