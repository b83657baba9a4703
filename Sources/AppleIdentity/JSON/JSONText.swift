import Foundation

/// A text between its quotation marks, still as it was written.
///
/// It points into the bytes being read, and is good for as long as the ``JSONReader`` is. The
/// reader has checked its escapes and its UTF-8.
package struct JSONText {
    @usableFromInline let bytes: UnsafeBufferPointer<UInt8>
    /// Whether the bytes are ASCII without escapes, which is to say: the text itself.
    @usableFromInline let isPlain: Bool

    init(_ bytes: UnsafeBufferPointer<UInt8>, isPlain: Bool) {
        self.bytes = bytes
        self.isPlain = isPlain
    }

    /// The text that is meant.
    package var string: String {
        isPlain || !bytes.contains(UInt8(ascii: "\\"))
            ? String(decoding: bytes, as: UTF8.self)
            : String(decoding: unescaped, as: UTF8.self)
    }

    /// Whether this is an ASCII text, however it is spelled; for `switch` and `case`.
    ///
    /// Inlined, so that comparing with a short literal becomes one or two instructions.
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

    /// Whether two plain texts are the same.
    func isSamePlain(as other: JSONText) -> Bool {
        guard bytes.count == other.bytes.count else { return false }
        guard let left = bytes.baseAddress, let right = other.bytes.baseAddress, !bytes.isEmpty
        else { return true }
        // Names of one length mostly differ at once.
        return left[0] == right[0] && memcmp(left, right, bytes.count) == 0
    }
}

extension JSONText {
    /// The text's bytes in UTF-8, escapes replaced by what they stand for.
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

    /// The character of the `\u` at an index; goes to the last escape that belongs to it.
    private func character(at index: inout Int) -> UTF8.EncodedScalar {
        let unit = UInt32(bytes.codeUnit(at: index + 2) ?? 0)
        index += 4
        if let scalar = Unicode.Scalar(unit) {
            return UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        }
        let second = UInt32(bytes.codeUnit(at: index + 4) ?? 0)
        index += 6
        return Unicode.Scalar(0x10000 + ((unit &- 0xD800) << 10) + (second &- 0xDC00)).flatMap(
            UTF8.encode
        ) ?? UTF8.encodedReplacementCharacter
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The unit of UTF-16 that four hexadecimal digits spell; nil when they are not there.
    func codeUnit(at start: Int) -> UInt16? {
        guard start + 4 <= count else { return nil }
        var unit: UInt16 = 0
        for index in start..<start + 4 {
            guard let digit = Character(Unicode.Scalar(self[index])).hexDigitValue else {
                return nil
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
