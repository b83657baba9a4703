import Foundation

/// A string between its quotation marks, as it was written.
///
/// It points into the bytes being read, and is valid as long as the ``JSONReader``. The
/// reader has checked its escapes and its UTF-8.
package struct JSONText {
    @usableFromInline let bytes: UnsafeBufferPointer<UInt8>
    /// Whether the bytes are ASCII without escapes: the string itself.
    @usableFromInline let isPlain: Bool

    init(_ bytes: UnsafeBufferPointer<UInt8>, isPlain: Bool) {
        self.bytes = bytes
        self.isPlain = isPlain
    }

    /// The decoded string.
    package var string: String {
        isPlain || !bytes.contains(UInt8(ascii: "\\"))
            ? String(decoding: bytes, as: UTF8.self)
            : String(decoding: unescaped, as: UTF8.self)
    }

    /// Whether this is an ASCII string, in any spelling; for `switch` and `case`.
    ///
    /// Inlined: comparing with a short literal then takes one or two instructions.
    @inlinable
    package static func ~= (expected: StaticString, text: JSONText) -> Bool {
        guard text.isPlain else { return text.spells(expected) }
        guard text.bytes.count == expected.utf8CodeUnitCount, let start = text.bytes.baseAddress
        else { return false }
        return memcmp(start, expected.utf8Start, expected.utf8CodeUnitCount) == 0
    }

    @usableFromInline
    func spells(_ expected: StaticString) -> Bool {
        expected.withUTF8Buffer { unescaped.elementsEqual($0) }
    }

    func isSamePlain(as other: JSONText) -> Bool {
        guard bytes.count == other.bytes.count else { return false }
        guard let left = bytes.baseAddress, let right = other.bytes.baseAddress, !bytes.isEmpty
        else { return true }
        // Names of one length mostly differ in the first byte.
        return left[0] == right[0] && memcmp(left, right, bytes.count) == 0
    }
}

extension JSONText {
    /// The string's bytes in UTF-8, with the escapes decoded.
    ///
    /// RFC 8259, section 7: https://www.rfc-editor.org/rfc/rfc8259#section-7
    private var unescaped: [UInt8] {
        var unescaped: [UInt8] = []
        unescaped.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\") else {
                unescaped.append(bytes[index])
                index += 1
                continue
            }
            switch bytes[index + 1] {
            case UInt8(ascii: "u"): unescaped += character(at: &index)
            case UInt8(ascii: "b"): unescaped.append(0x08)
            case UInt8(ascii: "f"): unescaped.append(0x0C)
            case UInt8(ascii: "n"): unescaped.append(0x0A)
            case UInt8(ascii: "r"): unescaped.append(0x0D)
            case UInt8(ascii: "t"): unescaped.append(0x09)
            default: unescaped.append(bytes[index + 1])
            }
            index += 2
        }
        return unescaped
    }

    /// The character of the `\u` at an index; moves to the last escape that belongs to it.
    private func character(at index: inout Int) -> UTF8.EncodedScalar {
        var scalar = UInt32(bytes.codeUnit(at: index + 2) ?? 0)
        index += 4
        if UTF16.isLeadSurrogate(UInt16(scalar)) {
            let second = UInt32(bytes.codeUnit(at: index + 4) ?? 0)
            scalar = 0x10000 &+ (scalar &- 0xD800) << 10 &+ (second &- 0xDC00)
            index += 6
        }
        return Unicode.Scalar(scalar).flatMap(UTF8.encode) ?? UTF8.encodedReplacementCharacter
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The unit of UTF-16 in four hexadecimal digits; nil if they are missing.
    func codeUnit(at start: Int) -> UInt16? {
        guard start + 4 <= count else { return nil }
        var unit: UInt16 = 0
        for index in start..<start + 4 {
            guard let digit = Self.hexadecimalDigit(self[index]) else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    private static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
