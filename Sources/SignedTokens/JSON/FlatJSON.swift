import Foundation

/// Reads the members of a JSON object of the plainest form, straight from its bytes.
///
/// Headers and claims of tokens have that form: no white space, texts of ASCII without escapes,
/// whole numbers, truth values, nothing nested. Everything else is reported as unusual and left to
/// a general decoder, so that this reader never decides what odd JSON means.
///
/// Source: [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259)
package struct FlatJSON {
    /// A text between its quotation marks; it points into the bytes being read.
    package typealias Text = UnsafeBufferPointer<UInt8>

    /// What a member holds.
    package enum Value {
        case text(Text)
        case number(Int)
        case boolean(Bool)
    }

    /// What comes next.
    package enum Step {
        case member(name: Text, value: Value)
        case end
        case unusual
    }

    /// The most digits of a number, all of which a `Double` holds exactly.
    private static let maximumDigitCount = 15

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    /// Makes a reader.
    ///
    /// - Parameter bytes: the JSON text; it must outlive the reader and every text it returns.
    package init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Reads one member; nothing more may be read after `end` or `unusual`.
    package mutating func next() -> Step {
        if index == 0 {
            guard Self.isPlain(bytes), take(UInt8(ascii: "{")) else { return .unusual }
        } else if take(UInt8(ascii: "}")) {
            return index == bytes.count ? .end : .unusual
        } else if !take(UInt8(ascii: ",")) {
            return .unusual
        }
        guard let name = text(), take(UInt8(ascii: ":")), let value = value() else {
            return .unusual
        }
        return .member(name: name, value: value)
    }

    private mutating func value() -> Value? {
        guard index < bytes.count else { return nil }
        switch bytes[index] {
        case UInt8(ascii: "\""): return text().map { .text($0) }
        case UInt8(ascii: "t"): return take("true") ? .boolean(true) : nil
        case UInt8(ascii: "f"): return take("false") ? .boolean(false) : nil
        default: return number().map { .number($0) }
        }
    }

    private mutating func text() -> Text? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        let rest = Text(rebasing: bytes[index...])
        // The system's search looks at many bytes at once; no text here has an escaped mark.
        guard let start = rest.baseAddress,
            let end = memchr(start, CInt(UInt8(ascii: "\"")), rest.count)
        else { return nil }
        let count = UnsafeRawPointer(end) - UnsafeRawPointer(start)
        index += count + 1
        return Text(start: start, count: count)
    }

    /// Whether all characters are ASCII that needs no escape, so that no text has to be looked
    /// through for others.
    ///
    /// RFC 8259, section 7: control characters must be escaped.
    /// https://www.rfc-editor.org/rfc/rfc8259#section-7
    private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // The highest bit tells: it is set above ASCII, by taking 0x20 from less, and by taking one
        // from zero. Without a branch, the compiler looks at many bytes at once.
        var oddity: UInt8 = 0
        for byte in bytes {
            oddity |= byte | (byte &- 0x20) | ((byte ^ UInt8(ascii: "\\")) &- 1)
        }
        return oddity < 0x80
    }

    /// Digits that stand for a whole number; what follows them is judged by the caller.
    private mutating func number() -> Int? {
        let start = index
        var number = 0
        while index < bytes.count, index - start <= Self.maximumDigitCount {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            number = number * 10 + Int(digit)
            index += 1
        }
        let digitCount = index - start
        guard (1...Self.maximumDigitCount).contains(digitCount) else { return nil }
        // RFC 8259, section 6: no zero leads other digits.
        // https://www.rfc-editor.org/rfc/rfc8259#section-6
        guard digitCount == 1 || bytes[start] != UInt8(ascii: "0") else { return nil }
        return number
    }

    private mutating func take(_ expected: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == expected else { return false }
        index += 1
        return true
    }

    private mutating func take(_ expected: StaticString) -> Bool {
        let end = index + expected.utf8CodeUnitCount
        guard end <= bytes.count,
            Text(rebasing: bytes[index..<end]).isSame(as: expected)
        else { return false }
        index = end
        return true
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes are those of an ASCII text.
    ///
    /// Inlined, so that comparing with a short literal becomes one or two instructions.
    @inlinable
    package func isSame(as text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount, let start = baseAddress else { return false }
        return memcmp(start, text.utf8Start, text.utf8CodeUnitCount) == 0
    }
}
