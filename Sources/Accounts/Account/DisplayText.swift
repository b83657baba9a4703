import Foundation

/// Text that people wrote and other people will see: bounded, without control characters.
///
/// Everything else is kept as given: emoji, any script, white space at the ends.
enum DisplayText {
    /// Bytes of UTF-8 that one character may have on average; a family emoji has 25.
    static let maximumByteCountPerCharacter = 32

    /// Takes control characters out; one that separates words becomes a space.
    ///
    /// - Parameter text: the text as it came.
    /// - Returns: the text without them, or nil when nothing visible is left.
    static func cleaned(_ text: String) -> String? {
        var scalars = String.UnicodeScalarView()
        var endsWithCarriageReturn = false
        for scalar in text.unicodeScalars {
            let isLineFeedOfPair = endsWithCarriageReturn && scalar == "\n"
            endsWithCarriageReturn = scalar == "\r"
            guard scalar.properties.generalCategory == .control else {
                scalars.append(scalar)
                continue
            }
            if scalar.properties.isWhitespace, !isLineFeedOfPair { scalars.append(" ") }
        }
        let cleaned = String(scalars)
        return cleaned.allSatisfy(\.isWhitespace) ? nil : cleaned
    }

    static func fits(_ text: String, maximumCharacterCount: Int) -> Bool {
        text.utf8.count <= maximumCharacterCount * maximumByteCountPerCharacter
            && text.count <= maximumCharacterCount
    }

    /// Cuts a text between two characters.
    ///
    /// - Parameters:
    ///   - text: any text.
    ///   - maximumCharacterCount: how many characters may stay.
    /// - Returns: the beginning of the text that fits.
    static func clipped(_ text: String, maximumCharacterCount: Int) -> String {
        var byteCount = 0
        let maximumByteCount = maximumCharacterCount * maximumByteCountPerCharacter
        let kept = text.prefix(maximumCharacterCount).prefix { character in
            byteCount += character.utf8.count
            return byteCount <= maximumByteCount
        }
        return String(kept)
    }
}
