/// The width of text in columns of a terminal.
///
/// A character is a grapheme cluster: an e with two marks takes one column, an ideograph or an emoji two.
enum TextWidth {
    /// The columns of one character: 0 if it is invisible, or else 1 or 2.
    static func columns(of character: Character) -> Int {
        if let byte = character.asciiValue { return (0x20..<0x7F).contains(byte) ? 1 : 0 }
        let scalars = character.unicodeScalars
        // The variation selector for emoji makes a sign such as a heart as wide as other emoji.
        if scalars.contains("\u{FE0F}"), scalars.first?.properties.isEmoji == true { return 2 }
        return min(2, scalars.reduce(0) { $0 + columns(of: $1) })
    }

    static func columns(of text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + columns(of: $1) }
    }

    /// The beginning of a text that fits, with an ellipsis if the text was cut.
    static func clipped(_ text: String, to columnCount: Int) -> String {
        guard columns(of: text) > columnCount else { return text }
        guard columnCount > 0 else { return "" }
        var width = 0
        let start = text.prefix { character in
            width += columns(of: character)
            return width < columnCount
        }
        return start + "…"
    }

    private static func columns(of scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .control, .format, .nonspacingMark, .enclosingMark, .surrogate, .lineSeparator,
            .paragraphSeparator:
            return 0
        default:
            // Vowels and finals of Hangul join the syllable before them.
            if (0x1160...0x11FF).contains(scalar.value) { return 0 }
            return scalar.properties.isEmojiPresentation || isWide(scalar) ? 2 : 1
        }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x1100 && wideRanges.contains { $0.contains(scalar.value) }
    }

    /// The blocks of wide and full-width characters that are not emoji (UAX #11, classes W and F).
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF,
        0x4E00...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
        0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB,
        0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}
