import AppleIdentity
import SignInWithApple

/// Untrusted text for a terminal, without the characters that control it.
enum TerminalText {
    static let maximumCellCharacterCount = 48

    /// A text as one line of visible characters.
    static func line(_ text: String) -> String { DisplayText.cleaned(text) ?? "" }

    /// A text without control and invisible characters; its spaces stay.
    static func visible(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { !isHidden($0) }))
    }

    /// The lines of a table, whose columns are as wide as their content.
    static func table(_ header: [String], _ rows: [[String]]) -> [String] {
        let cells = ([header] + rows)
            .map { row in
                row.map {
                    DisplayText.clipped(line($0), maximumCharacterCount: maximumCellCharacterCount)
                }
            }
        let widths = header.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        return cells.map { row in
            zip(row, widths)
                .map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
                .joined(separator: "  ")
                .replacing(#/ +$/#, with: "")
        }
    }

    /// JSON with control and invisible characters escaped.
    static func json(_ object: JSONObject) -> String {
        object.text.unicodeScalars.map { isHidden($0) ? escaped($0) : String($0) }.joined()
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
    /// The cell of a missing member.
    static let missingCell = "-"

    func cell(_ name: String) -> String { self[name]?.stringValue ?? Self.missingCell }

    func objects(_ name: String) -> [JSONObject] {
        self[name]?.arrayValue?.compactMap(\.objectValue) ?? []
    }
}
