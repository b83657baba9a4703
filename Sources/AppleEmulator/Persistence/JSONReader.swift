import AppleIdentity
import Foundation

/// Reads large JSON texts: members keep their order, and a mistake has its line.
///
/// Source: [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259)
struct JSONReader {
    /// How deeply values may be nested.
    static let maximumDepth = 32
    /// The longest number, in bytes.
    private static let maximumNumberByteCount = 64

    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0

    /// Reads the one value of a text.
    ///
    /// - Parameter data: JSON in UTF-8.
    /// - Returns: the value.
    /// - Throws: ``SeedError`` with the line of the first mistake.
    static func read(_ data: Data) throws(SeedError) -> JSONValue {
        var reader = JSONReader(bytes: Array(data))
        let value = try reader.value()
        reader.skipSpace()
        guard reader.next == nil else { throw reader.error("something follows the value") }
        return value
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func error(_ reason: String) -> SeedError {
        let line = bytes[..<min(index, bytes.count)].count { $0 == UInt8(ascii: "\n") } + 1
        let end = "the text ends too early, as if it were cut off"
        return SeedError(line: line, reason: index < bytes.count ? reason : end)
    }

    private mutating func skipSpace() {
        while index < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[index]) { index += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) throws(SeedError) {
        guard next == UInt8(ascii: character) else {
            throw error("this is not JSON: \"\(character)\" is missing")
        }
        index += 1
    }

    /// Takes a character if it is there.
    private mutating func takes(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func value() throws(SeedError) -> JSONValue {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return .object(try nested(Self.object))
        case UInt8(ascii: "["): return .array(try nested(Self.array))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func nested<Value>(
        _ read: (inout JSONReader) throws(SeedError) -> Value
    ) throws(SeedError) -> Value {
        guard depth < Self.maximumDepth else { throw error("this is nested too deeply") }
        depth += 1
        index += 1
        let value = try read(&self)
        depth -= 1
        return value
    }

    private static func object(_ reader: inout JSONReader) throws(SeedError) -> JSONObject {
        var members: [JSONObject.Member] = []
        if reader.takes("}") { return JSONObject() }
        repeat {
            reader.skipSpace()
            let name = try reader.string()
            reader.skipSpace()
            try reader.take(":")
            members.append(JSONObject.Member(name: name, value: try reader.value()))
        } while reader.takes(",")
        try reader.take("}")
        return JSONObject(members)
    }

    private static func array(_ reader: inout JSONReader) throws(SeedError) -> [JSONValue] {
        var values: [JSONValue] = []
        if reader.takes("]") { return values }
        repeat { values.append(try reader.value()) } while reader.takes(",")
        try reader.take("]")
        return values
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(SeedError) -> JSONValue {
        guard bytes[index...].starts(with: word.utf8) else {
            throw error("this is not JSON: a value is missing")
        }
        index += word.utf8.count
        return value
    }

    private mutating func number() throws(SeedError) -> JSONValue {
        let start = index
        while let byte = next, "+-.0123456789Ee".utf8.contains(byte) { index += 1 }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        // Nearly all numbers are whole and written in the one usual way.
        if let integer = Int(text), String(integer) == text { return .integer(integer) }
        guard text.utf8.count <= Self.maximumNumberByteCount,
            text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([Ee][+\-]?[0-9]+)?/) != nil
        else {
            if text.isEmpty { throw error("this is not JSON: a value is missing") }
            throw error("this is not a number")
        }
        if let integer = Int(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { throw error("this is no number") }
        return Int(exactly: number).map(JSONValue.integer) ?? .number(number)
    }
}

extension JSONReader {
    fileprivate mutating func string() throws(SeedError) -> String {
        try take("\"")
        let start = index
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20
        {
            index += 1
        }
        guard next == UInt8(ascii: "\"") else { return try escapedString(from: start) }
        defer { index += 1 }
        return try text(of: bytes[start..<index])
    }

    private func text(of bytes: ArraySlice<UInt8>) throws(SeedError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw error("this text is not UTF-8")
        }
        return text
    }

    private mutating func escapedString(from start: Int) throws(SeedError) -> String {
        var decoded = Array(bytes[start..<index])
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw error("this text has a control character") }
            index += 1
            guard byte == UInt8(ascii: "\\") else {
                decoded.append(byte)
                continue
            }
            decoded.append(contentsOf: Array(String(try escape()).utf8))
        }
        try take("\"")
        return try text(of: decoded[...])
    }

    /// The character behind a backslash.
    private mutating func escape() throws(SeedError) -> Unicode.Scalar {
        guard let byte = next else { throw error("") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try codePoint()
        default: throw error("this text has an escape that JSON does not know")
        }
    }

    private mutating func codePoint() throws(SeedError) -> Unicode.Scalar {
        let unit = try codeUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        // RFC 8259, section 7: characters beyond the basic plane are two units of UTF-16.
        // https://www.rfc-editor.org/rfc/rfc8259#section-7
        guard unit < 0xDC00, bytes[index...].starts(with: "\\u".utf8) else {
            throw error("this text has half a character")
        }
        index += 2
        let low = try codeUnit()
        guard (0xDC00..<0xE000).contains(low),
            let scalar = Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
        else { throw error("this text has half a character") }
        return scalar
    }

    private mutating func codeUnit() throws(SeedError) -> UInt32 {
        let digits = bytes[index...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw error("this text has an escape that JSON does not know") }
        index += 4
        return unit
    }
}
