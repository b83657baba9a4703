import Foundation

extension JSONValue {
    /// The value as compact JSON text, with members in order.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// A string without quotes, or another value as JSON text.
    package var plainText: String { stringValue ?? text }

    /// The value as compact JSON in UTF-8, with members in order.
    public var data: Data { Data(bytes) }

    /// The value as compact JSON in UTF-8 bytes.
    package var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.write(self)
        return writer.bytes
    }
}

extension JSONObject {
    /// The object as compact JSON text, with members in order.
    public var text: String { JSONValue.object(self).text }

    /// The object as compact JSON in UTF-8, with members in order.
    public var data: Data { JSONValue.object(self).data }
}

/// Writes compact JSON, byte by byte.
private struct JSONWriter {
    /// The capacity that most documents need.
    private static let usualByteCount = 512

    var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(Self.usualByteCount) }

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .boolean(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): bytes.append(contentsOf: String(value).utf8)
        case .number(let value):
            bytes.append(contentsOf: (value.isFinite ? String(value) : "null").utf8)
        case .string(let value): write(string: value)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                write(value)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object): write(object)
        }
    }

    private mutating func write(_ object: JSONObject) {
        bytes.append(UInt8(ascii: "{"))
        for (index, member) in object.members.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(string: member.name)
            bytes.append(UInt8(ascii: ":"))
            write(member.value)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Escapes only what RFC 8259, section 7, requires.
    private mutating func write(string: String) {
        bytes.append(UInt8(ascii: "\""))
        // Most strings need no escape and are copied unchanged.
        let start = bytes.count
        bytes.append(contentsOf: string.utf8)
        if bytes[start...].contains(where: Self.needsEscape) {
            bytes.removeSubrange(start...)
            for byte in string.utf8 { write(escaping: byte) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func write(escaping byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): bytes.append(contentsOf: "\\\"".utf8)
        case UInt8(ascii: "\\"): bytes.append(contentsOf: "\\\\".utf8)
        case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
        case UInt8(ascii: "\r"): bytes.append(contentsOf: "\\r".utf8)
        case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
        case ..<0x20:
            let digits = String(byte, radix: 16)
            bytes.append(contentsOf: ("\\u" + (byte < 0x10 ? "000" : "00") + digits).utf8)
        default: bytes.append(byte)
        }
    }
}
