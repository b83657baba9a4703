extension JSONReader {
    /// Reads a string, and checks all of it: control characters, escapes and UTF-8.
    mutating func text() throws(JSONError) -> JSONText {
        guard accept("\"") else { throw missing("a string") }
        let start = index
        skipPlainCharacters()
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
            return try unusualText(from: start)
        }
        index += 1
        return JSONText(UnsafeBufferPointer(rebasing: bytes[start..<index - 1]), isPlain: true)
    }

    private mutating func unusualText(from start: Int) throws(JSONError) -> JSONText {
        var isASCII = true
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            switch bytes[index] {
            case UInt8(ascii: "\\"): try skipEscape()
            // RFC 8259, section 7: control characters must be escaped.
            // https://www.rfc-editor.org/rfc/rfc8259#section-7
            case 0..<0x20: throw error(.malformed("a string has a control character"))
            case 0x80...:
                isASCII = false
                index += 1
            default: skipPlainCharacters()
            }
        }
        let text = UnsafeBufferPointer(rebasing: bytes[start..<index])
        guard accept("\"") else { throw missing("the end of a string") }
        // RFC 8259, section 8.1: JSON between systems is UTF-8.
        // https://www.rfc-editor.org/rfc/rfc8259#section-8.1
        guard isASCII || String(utf8: text) != nil else {
            throw error(.malformed("a string is not UTF-8"))
        }
        return JSONText(text, isPlain: false)
    }

    private mutating func skipEscape() throws(JSONError) {
        guard index + 1 < bytes.count else {
            index = bytes.count
            throw error(.truncated)
        }
        switch bytes[index + 1] {
        case UInt8(ascii: "u"): try skipCharacter()
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            index += 2
        default: throw error(.malformed("a string has an invalid escape"))
        }
    }

    /// Skips a character that is written as one unit of UTF-16, or as a pair of them.
    private mutating func skipCharacter() throws(JSONError) {
        guard let unit = bytes.codeUnit(at: index + 2) else {
            throw error(.malformed("a string has \\u without four hexadecimal digits"))
        }
        guard UTF16.isSurrogate(unit) else {
            index += 6
            return
        }
        let hasSecond =
            index + 7 < bytes.count && bytes[index + 6] == UInt8(ascii: "\\")
            && bytes[index + 7] == UInt8(ascii: "u")
        guard UTF16.isLeadSurrogate(unit), hasSecond,
            let second = bytes.codeUnit(at: index + 8), UTF16.isTrailSurrogate(second)
        else { throw error(.malformed("a string has an unpaired surrogate")) }
        index += 12
    }
}

extension JSONReader {
    /// Skips to the next byte that ends a string, begins an escape, or is no printable ASCII.
    private mutating func skipPlainCharacters() {
        // Eight bytes at a time, which makes most of the speed of reading tokens.
        while index + 8 <= bytes.count {
            let marks = Self.marks(in: word(at: index))
            guard marks == 0 else {
                index += marks.trailingZeroBitCount / 8
                return
            }
            index += 8
        }
        while index < bytes.count, Self.marks(in: 0x2020_2020_2020_2000 | UInt64(bytes[index])) == 0
        {
            index += 1
        }
    }

    private func word(at index: Int) -> UInt64 {
        UInt64(
            littleEndian: UnsafeRawBufferPointer(bytes)
                .loadUnaligned(fromByteOffset: index, as: UInt64.self)
        )
    }

    /// The highest bit of each byte that is not a plain character; exact up to the first of them.
    ///
    /// A byte is zero, or less than 0x20, when subtracting 1, or 0x20, sets a highest bit that was
    /// not set before. After "Bit Twiddling Hacks", "Determine if a word has a zero byte".
    private static func marks(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotationMark = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        let found =
            ((quotationMark &- ones) & ~quotationMark) | ((backslash &- ones) & ~backslash)
            | ((word &- (ones &* 0x20)) & ~word) | word
        return found & (ones &* 0x80)
    }
}
