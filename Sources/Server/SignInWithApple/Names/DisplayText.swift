import AppleIdentity
import Foundation

/// Text that users wrote and others will see: of limited length, without invisible characters.
///
/// Everything visible is kept as given: emoji, any script, white space at the ends.
///
/// | removed | kept |
/// |---|---|
/// | control characters; one that separates words becomes a space | |
/// | bidirectional marks, embeddings, overrides and isolates | |
/// | zero-width spaces, fillers, soft hyphens, byte order marks | |
/// | joiners anywhere else | zero-width joiners inside a word or an emoji: Persian, Hindi, families |
/// | variation selectors and tags anywhere else | those behind a visible character; tags of a black flag |
package enum DisplayText {
    /// Bytes of UTF-8 that one character may have on average; a family emoji has 25.
    package static let maximumByteCountPerCharacter = 32

    package static func maximumByteCount(ofCharacters count: Int) -> Int {
        count * maximumByteCountPerCharacter
    }

    /// Removes the invisible characters; nil if nothing visible is left.
    package static func cleaned(_ text: String) -> String? {
        // Visible ASCII needs no lookup.
        guard !text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return text.utf8.allSatisfy { $0 == 0x20 } ? nil : text
        }
        let given = Array(text.unicodeScalars)
        var allowed = String.UnicodeScalarView()
        for (index, scalar) in given.enumerated() {
            let previous = index > 0 ? given[index - 1] : nil
            if scalar.isControl {
                let isLineFeedOfPair = scalar == "\n" && previous == "\r"
                if scalar.properties.isWhitespace, !isLineFeedOfPair { allowed.append(" ") }
            } else if !scalar.isInvisible
                || isNeeded(scalar, after: allowed.last, before: given.dropFirst(index + 1).first)
            {
                allowed.append(scalar)
            }
        }
        let cleaned = String(allowed)
        return cleaned.unicodeScalars.allSatisfy(\.isBlank) ? nil : cleaned
    }

    /// Whether an invisible character changes how its neighbours look.
    private static func isNeeded(
        _ scalar: Unicode.Scalar,
        after last: Unicode.Scalar?,
        before next: Unicode.Scalar?
    ) -> Bool {
        guard let last, !last.isBlank else { return false }
        switch scalar.value {
        case 0x200C, 0x200D: return last.isJoined && next?.isJoined == true
        case 0xE0020...0xE007F: return last.value == 0x1F3F4 || last.isTag
        default: return scalar.properties.isVariationSelector
        }
    }

    package static func fits(_ text: String, maximumCharacterCount: Int) -> Bool {
        text.utf8.count <= maximumByteCount(ofCharacters: maximumCharacterCount)
            && text.count <= maximumCharacterCount
    }

    /// Cuts a text between two characters.
    package static func clipped(_ text: String, maximumCharacterCount: Int) -> String {
        var byteCount = 0
        let maximumByteCount = maximumByteCount(ofCharacters: maximumCharacterCount)
        let allowed = text.prefix(maximumCharacterCount).prefix { character in
            byteCount += character.utf8.count
            return byteCount <= maximumByteCount
        }
        return String(allowed)
    }
}

extension Unicode.Scalar {
    /// Control characters, and the two separators that only break lines.
    fileprivate var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Format characters and others without a form of their own.
    ///
    /// Arabic and Kaithi number signs are format characters as well, but have a form.
    fileprivate var isInvisible: Bool {
        if properties.isDefaultIgnorableCodePoint { return true }
        switch value {
        case 0x0600...0x0605, 0x06DD, 0x070F, 0x0890...0x0891, 0x08E2, 0x110BD, 0x110CD:
            return false
        default: return properties.generalCategory == .format
        }
    }

    /// Letters, their marks, and emoji: the characters that a joiner may connect.
    fileprivate var isJoined: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .otherSymbol, .modifierSymbol: true
        default: properties.isAlphabetic || properties.isEmojiPresentation
        }
    }

    fileprivate var isTag: Bool { (0xE0020...0xE007F).contains(value) }

    /// White space, and the Braille pattern without a dot.
    fileprivate var isBlank: Bool { properties.isWhitespace || value == 0x2800 }
}

extension PersonName {
    /// The maximum number of characters of a name, both parts together.
    package static let maximumCharacterCount = 200

    /// The name as it may be stored and shown: within its limits, without invisible characters.
    ///
    /// - Returns: the name; nil if nothing visible is left.
    package func checked() throws(SignInError) -> PersonName? {
        guard DisplayText.fits(displayName, maximumCharacterCount: Self.maximumCharacterCount)
        else {
            throw SignInError(
                .nameTooLong,
                hint: "the limit is \(Self.maximumCharacterCount) characters and "
                    + "\(DisplayText.maximumByteCount(ofCharacters: Self.maximumCharacterCount)) bytes"
            )
        }
        let name = cleaned
        return name.isEmpty ? nil : name
    }

    /// The name without invisible characters.
    package var cleaned: PersonName {
        PersonName(
            givenName: givenName.flatMap(DisplayText.cleaned),
            familyName: familyName.flatMap(DisplayText.cleaned)
        )
    }
}
