import Foundation

extension JSONReader {
    /// The maximum length of a number, in bytes: more digits than any type here can hold.
    private static let maximumNumberByteCount = 64
    /// The number of digits that always fit into an `Int`.
    private static let safeDigitCount = 18

    package mutating func value() throws(JSONError) -> JSONValue {
        skipSpace()
        guard index < bytes.count else { throw error(.truncated) }
        switch bytes[index] {
        case UInt8(ascii: "\""): return .string(try text().string)
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["): return .array(try array())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw missing("a value")
        }
    }

    package mutating func object() throws(JSONError) -> JSONObject {
        try beginObject()
        var members: [JSONObject.Member] = []
        while let name = try nextName() {
            members.append(JSONObject.Member(name: name.string, value: try value()))
        }
        return JSONObject(members)
    }

    private mutating func array() throws(JSONError) -> [JSONValue] {
        try beginArray()
        var values: [JSONValue] = []
        while try hasNextElement() { values.append(try value()) }
        return values
    }

    private mutating func word(
        _ word: StaticString,
        _ value: JSONValue
    ) throws(JSONError) -> JSONValue {
        let rest = bytes[index...].prefix(word.utf8CodeUnitCount)
        guard word.withUTF8Buffer({ rest.elementsEqual($0) }) else { throw missing("a value") }
        index += word.utf8CodeUnitCount
        return value
    }
}

extension JSONReader {
    /// Reads a number: an integer if it is whole and fits, else a `Double`.
    ///
    /// RFC 8259, section 6: https://www.rfc-editor.org/rfc/rfc8259#section-6
    private mutating func number() throws(JSONError) -> JSONValue {
        let start = index
        let isNegative = accept("-")
        let firstDigit = index
        let integer = skipDigits()
        let digitCount = index - firstDigit
        guard digitCount == 1 || digitCount > 1 && bytes[firstDigit] != UInt8(ascii: "0") else {
            throw digitCount == 0
                ? missing("a digit") : error(.malformed("a number has a leading zero"))
        }
        let isWhole = try !skipFractionAndExponent()
        if isWhole, digitCount <= Self.safeDigitCount {
            return .integer(isNegative ? -integer : integer)
        }
        return try largeNumber(bytes[start..<index])
    }

    /// Whether there is a fraction or an exponent.
    private mutating func skipFractionAndExponent() throws(JSONError) -> Bool {
        let start = index
        if accept(".") { try skipSomeDigits() }
        if accept("e") || accept("E") {
            if !accept("+") { _ = accept("-") }
            try skipSomeDigits()
        }
        return index > start
    }

    private mutating func skipSomeDigits() throws(JSONError) {
        let start = index
        _ = skipDigits()
        guard index > start else { throw missing("a digit") }
    }

    /// Skips the digits; their value, which is correct if there are few enough.
    private mutating func skipDigits() -> Int {
        var value = 0
        while index < bytes.count {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            value = value &* 10 &+ Int(digit)
            index += 1
        }
        return value
    }

    private func largeNumber(
        _ digits: Slice<UnsafeBufferPointer<UInt8>>
    ) throws(JSONError) -> JSONValue {
        guard digits.count <= Self.maximumNumberByteCount else {
            throw error(
                .malformed("a number is longer than \(Self.maximumNumberByteCount) characters")
            )
        }
        let text = String(decoding: digits, as: UTF8.self)
        if let integer = Int(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else {
            throw error(.malformed("a number is too large"))
        }
        // A whole number stays one in any notation.
        return Int(exactly: number).map(JSONValue.integer) ?? .number(number)
    }
}

extension JSONReader {
    package static func read<Value>(
        _ data: Data,
        limits: JSONLimits = .message,
        _ body: (inout JSONReader) throws(JSONError) -> Value
    ) throws(JSONError) -> Value {
        let reading = data.withUnsafeBytes { bytes in
            Result { () throws(JSONError) in
                try read(bytes.bindMemory(to: UInt8.self), limits: limits, body)
            }
        }
        return try reading.get()
    }
}

extension JSONValue {
    package init(parsing data: Data, limits: JSONLimits = .message) throws(JSONError) {
        self = try JSONReader.read(data, limits: limits) { reader throws(JSONError) in
            try reader.value()
        }
    }
}

extension JSONObject {
    package init(parsing data: Data, limits: JSONLimits = .message) throws(JSONError) {
        self = try JSONReader.read(data, limits: limits) { reader throws(JSONError) in
            try reader.object()
        }
    }
}
