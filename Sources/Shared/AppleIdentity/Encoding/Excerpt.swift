/// Makes text from outside safe for a hint: short, on one line, in quotation marks.
package enum Excerpt {
    static let maximumCharacterCount = 80

    package static func quoting(_ text: String) -> String {
        let start = text.prefix(maximumCharacterCount)
        let printable = start.unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control
                || scalar.properties.generalCategory == .format ? "?" : String(scalar)
        }
        let mark = start.endIndex == text.endIndex ? "" : "…"
        return "\"\(printable.joined())\(mark)\""
    }
}
