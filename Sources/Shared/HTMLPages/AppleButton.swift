/// The proportions of Apple's button, and the apple on it.
///
/// Source: [Human Interface Guidelines](https://developer.apple.com/design/human-interface-guidelines/sign-in-with-apple)
package enum AppleButton {
    /// The title's size, in parts of the button's height.
    private static let titleSize = 0.43
    /// The space at each end, in parts of the button's width.
    package static let endMargin = 0.08
    /// The logo's side, in parts of the title's size.
    package static let logoSize = 1.35
    /// The space between logo and title, in parts of the title's size.
    package static let gap = 0.25
    /// How much the logo is above the middle, in parts of its side: its leaf makes it look low.
    package static let logoRise = 0.04

    /// An apple with a leaf on a square of 24 points, drawn for this project: not Apple's logo.
    package static let logoPath =
        "M12 7.6C10.7 6.5 9 6.1 7.3 6.8C4.7 7.8 3.5 10.4 3.9 13.4C4.5 17.3 6.9 21.4 9.4 21.4"
        + "C10.4 21.4 11 20.9 12 20.9C13 20.9 13.6 21.4 14.6 21.4C17.1 21.4 19.5 17.3 20.1 13.4"
        + "C20.5 10.4 19.3 7.8 16.7 6.8C15 6.1 13.3 6.5 12 7.6Z"
        + "M12.1 5.9C12 3.7 13.6 1.9 16 1.700C16.2 4.1 14.5 5.9 12.1 5.9Z"

    /// Returns the title's size in a button of a size: 43 % of the height, or less if the margins require it.
    package static func titleSize(of title: String, width: Double, height: Double) -> Double {
        min(titleSize * height, width * (1 - 2 * endMargin) / contentWidth(title))
    }

    /// Returns the rule of a style sheet that gives the same size to a button as wide as its container.
    ///
    /// - Parameters:
    ///   - title: the button's title.
    ///   - language: the language of the title, as a BCP 47 tag.
    ///   - height: the button's height in CSS pixels.
    /// - Returns: the rule, which applies to links of the class `apple` in that language.
    package static func styleRule(title: String, language: String, height: Double) -> String {
        let widest = rounded(100 * (1 - 2 * endMargin) / contentWidth(title))
        return """
            .apple:lang(\(language)) { height: \(height)px; gap: \(gap)em; \
            font-size: min(\(rounded(titleSize * height))px, \(widest)cqi); }

            """
    }

    /// The logo as an element of an HTML page, as large as the title around it requires.
    package static let logoElement = """
        <svg viewBox="0 \(rounded(24 * logoRise)) 24 24" width="\(logoSize)em" height="\(logoSize)em" \
        fill="currentColor" aria-hidden="true"><path d="\(logoPath)"/></svg>
        """

    private static func contentWidth(_ title: String) -> Double {
        logoSize + gap + width(of: title)
    }

    /// The approximate width of a text in the system's font, in parts of the font's size.
    package static func width(of text: String) -> Double {
        text.unicodeScalars.reduce(0) { width, scalar in
            switch scalar.value {
            // Combining marks above or below another letter.
            case 0x0300...0x036F, 0x0E31, 0x0E34...0x0E3A, 0x0E47...0x0E4E: width
            // Hangul, kana and ideographs fill a square.
            case 0x1100...0x11FF, 0x3000...0x9FFF, 0xAC00...0xD7A3, 0xFF00...0xFFEF: width + 1
            // Hebrew and Arabic letters, and Latin ones like an i, are narrow.
            case 0x0590...0x06FF: width + 0.54
            default: width + ("fijlrtI ’-".unicodeScalars.contains(scalar) ? 0.36 : 0.64)
            }
        }
    }

    package static func rounded(_ number: Double) -> Double {
        (number * 1_000).rounded() / 1_000
    }
}
