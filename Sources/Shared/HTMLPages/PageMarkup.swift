import Mustache

/// Escapes values for HTML, code point by code point.
///
/// Mustache's own escaping works on characters as a reader sees them: a quotation mark with a
/// combining accent is one such character and would stay unescaped.
struct PageMarkup: MustacheContentType {
    /// The beginning of a template that is escaped this way.
    static let pragma = "{{% CONTENT_TYPE:\(name)}}"
    private static let name = "PAGE_MARKUP"

    static func register() { MustacheContentTypes.register(PageMarkup(), named: name) }

    func escapeText(_ text: String) -> String {
        var escaped = ""
        escaped.unicodeScalars.reserveCapacity(text.unicodeScalars.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "&": escaped += "&amp;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            // HTML does not permit it.
            case "\0": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
