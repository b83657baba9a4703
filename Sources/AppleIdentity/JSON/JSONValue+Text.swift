import Foundation

extension JSONValue {
    /// The value as compact JSON text, members in their order.
    public var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    /// The value as compact JSON in UTF-8, members in their order.
    public var data: Data { Data(text.utf8) }

    fileprivate func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .boolean(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value): text += value.isFinite ? String(value) : "null"
        case .string(let value): Self.write(string: value, to: &text)
        case .array(let values): Self.write(array: values, to: &text)
        case .object(let object): object.write(to: &text)
        }
    }

    private static func write(array: [JSONValue], to text: inout String) {
        text += "["
        for (index, value) in array.enumerated() {
            if index > 0 { text += "," }
            value.write(to: &text)
        }
        text += "]"
    }

    /// Escapes what RFC 8259, section 7, requires to be escaped, and nothing more.
    fileprivate static func write(string: String, to text: inout String) {
        text += "\""
        defer { text += "\"" }
        guard string.utf8.contains(where: needsEscape) else {
            text += string
            return
        }
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}

extension JSONObject {
    /// The object as compact JSON text, members in their order.
    public var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    /// The object as compact JSON in UTF-8, members in their order.
    public var data: Data { Data(text.utf8) }

    fileprivate func write(to text: inout String) {
        text += "{"
        for (index, member) in members.enumerated() {
            if index > 0 { text += "," }
            JSONValue.write(string: member.name, to: &text)
            text += ":"
            member.value.write(to: &text)
        }
        text += "}"
    }
}
