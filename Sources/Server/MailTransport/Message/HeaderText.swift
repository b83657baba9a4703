import Foundation

/// Encodes text for the header of a message: folded, and as encoded words unless it is plain ASCII.
enum HeaderText {
    /// The recommended length of a header line, in bytes.
    ///
    /// Source: [RFC 5322, section 2.1.1](https://www.rfc-editor.org/rfc/rfc5322#section-2.1.1)
    private static let maximumLineByteCount = 78
    /// The maximum number of bytes in an encoded word, whose line has at most 76 characters with the field name.
    ///
    /// Source: [RFC 2047, section 2](https://www.rfc-editor.org/rfc/rfc2047#section-2)
    private static let maximumWordByteCount = 39

    /// Returns the text up to a maximum length, with spaces instead of control and direction characters.
    static func cleaned(_ text: String, maximumCharacterCount: Int) -> String {
        var cleaned = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(maximumCharacterCount * 4) {
            cleaned.append(isUnwanted(scalar) ? " " : scalar)
        }
        return String(String(cleaned).prefix(maximumCharacterCount))
            .trimmingCharacters(in: .whitespaces)
    }

    /// Whether a character is a control character, a line break, or changes the writing direction.
    private static func isUnwanted(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
        case .format: scalar != "\u{200D}" && scalar != "\u{200C}"
        default: false
        }
    }

    /// Encodes free text such as a subject.
    static func unstructured(_ text: String, after fieldName: String) -> String {
        let isShort = fieldName.utf8.count + 2 + text.utf8.count <= maximumLineByteCount
        return isShort && isPlain(text) ? text : encoded(text)
    }

    /// Encodes the name before an email address: in quotes, or as encoded words.
    static func phrase(_ name: String) -> String {
        guard isPlain(name) else { return encoded(name) }
        let escaped = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(escaped)\""
    }

    /// Encodes a name and an email address, on two lines when they are too long for one.
    static func mailbox(_ name: String, _ address: String, after fieldName: String) -> String {
        let phrase = phrase(name)
        let byteCount = fieldName.utf8.count + 2 + phrase.utf8.count + 3 + address.utf8.count
        let isShort = byteCount <= maximumLineByteCount
        return "\(phrase)\(isShort ? "" : "\r\n") <\(address)>"
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?")
    }

    /// Encodes text as encoded words, one a line; no character is split between two.
    private static func encoded(_ text: String) -> String {
        var words: [String] = []
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            let next = Array(String(scalar).utf8)
            if bytes.count + next.count > maximumWordByteCount {
                words.append(word(bytes))
                bytes = []
            }
            bytes += next
        }
        words.append(word(bytes))
        return words.joined(separator: "\r\n ")
    }

    private static func word(_ bytes: [UInt8]) -> String {
        "=?utf-8?B?\(Data(bytes).base64EncodedString())?="
    }
}
