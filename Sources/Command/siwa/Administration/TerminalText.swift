import AppleIdentity
import SignInWithApple

/// Untrusted text for a terminal, without the characters that control it.
enum TerminalText {
    /// The width of a usual terminal, in columns.
    static let columnCount = 80
    /// The space before the columns that continue on the next line.
    private static let indent = 2
    private static let gap = 2

    /// A text as one line of visible characters.
    static func line(_ text: String) -> String { DisplayText.cleaned(text) ?? "" }

    /// A text without control and invisible characters; its spaces stay.
    static func visible(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { !isHidden($0) }))
    }

    /// A number with its noun, such as "1 user" or "2 users".
    static func counted(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }

    /// Words as a list, such as "a, b and c".
    static func listed(_ words: [String], _ conjunction: String) -> String {
        guard words.count > 1, let last = words.last else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
    }

    /// The lines of a table; columns that do not fit continue on the next line.
    ///
    /// Without a number of columns, each row is one line.
    static func table(
        _ header: [String],
        _ rows: [[String]],
        to columnCount: Int?
    ) -> [String] {
        let columnCount = columnCount ?? .max
        let cells = ([header] + rows)
            .map { row in
                row.map { TextWidth.clipped(line($0), to: columnCount - indent) }
            }
        let widths = header.indices.map { column in
            cells.map { TextWidth.columns(of: $0[column]) }.max() ?? 0
        }
        let lines = lines(ofColumns: widths, to: columnCount)
        return cells.flatMap { row in
            lines.enumerated().map { number, columns in
                let texts = columns.map { column in
                    row[column]
                        + String(
                            repeating: " ",
                            count: widths[column] - TextWidth.columns(of: row[column])
                        )
                }
                let text = texts.joined(separator: String(repeating: " ", count: gap))
                return (number == 0 ? "" : String(repeating: " ", count: indent))
                    + text.replacing(#/ +$/#, with: "")
            }
        }
    }

    /// Distributes the columns of a table over the lines of a row, by their widths.
    private static func lines(ofColumns widths: [Int], to columnCount: Int) -> [[Int]] {
        var lines: [[Int]] = [[]]
        var end = 0
        for (column, width) in widths.enumerated() {
            if end + width > columnCount, end > 0 {
                lines.append([])
                end = indent
            }
            lines[lines.count - 1].append(column)
            end += width + gap
        }
        return lines
    }

    /// Wraps a text between words; its first line follows `start`, and the others are indented by its width.
    static func wrapped(_ text: String, after start: String, to columnCount: Int) -> [String] {
        var lines = [start]
        let margin = String(repeating: " ", count: TextWidth.columns(of: start))
        var isEmpty = true
        for word in text.split(separator: " ") {
            let joined = lines[lines.count - 1] + (isEmpty ? "" : " ") + word
            if isEmpty || TextWidth.columns(of: joined) <= columnCount {
                lines[lines.count - 1] = joined
            } else {
                lines.append(margin + word)
            }
            isEmpty = false
        }
        return lines
    }

    /// JSON with control and invisible characters escaped.
    static func json(_ object: JSONObject) -> String {
        escaped(.object(object))
    }

    /// JSON with a line for each value.
    static func indentedJSON(_ value: JSONValue, margin: String = "") -> String {
        let inner = margin + "  "
        switch value {
        case .object(let object) where !object.members.isEmpty:
            let lines = object.members.map { member in
                "\(inner)\(escaped(.string(member.name))): "
                    + indentedJSON(member.value, margin: inner)
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(margin)}"
        case .array(let values) where !values.isEmpty:
            let lines = values.map { inner + indentedJSON($0, margin: inner) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(margin)]"
        default: return escaped(value)
        }
    }

    private static func escaped(_ value: JSONValue) -> String {
        value.text.unicodeScalars.map { isHidden($0) ? escaped($0) : String($0) }.joined()
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16
            .map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
            .joined()
    }
}

/// Members of a response, for a table.
extension JSONObject {
    static let missingCell = "-"

    func cell(_ name: String) -> String { self[name]?.stringValue ?? Self.missingCell }
}
