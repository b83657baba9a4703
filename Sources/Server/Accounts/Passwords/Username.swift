import Foundation

/// The username for sign-in with a password, in the form that is stored and compared.
///
/// That form is NFKC with the case folded: no two usernames differ only in how they are typed. A username that could
/// be taken for another one is refused: all its letters are of one writing system, and a foreign username has at least
/// one letter that does not look like a Latin one. An email address is allowed as a username.
///
/// Source: [RFC 8265, section 3.3](https://www.rfc-editor.org/rfc/rfc8265#section-3.3),
/// [Unicode Technical Standard 39, section 5.2](https://www.unicode.org/reports/tr39/#Restriction_Level_Detection)
package struct Username: Hashable, Sendable {
    /// The allowed length of a username, in Unicode scalars.
    package static let scalarCounts = 3...64
    /// The maximum length of an email address as a username, in bytes.
    ///
    /// Source: [RFC 5321, section 4.5.3.1.3](https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1.3)
    package static let maximumAddressByteCount = 254

    /// Why a username is refused.
    package enum Mistake: String, Error, CaseIterable, Hashable, Sendable {
        /// The username is too short or too long.
        case length
        /// It has a character other than letters, digits and `. _ - + @`, or begins or ends with one of the latter.
        case characters
        /// It mixes writing systems, or could be taken for another name.
        case confusable
        /// It has an `@` but is not an email address.
        case address
    }

    /// The username in the form that is compared.
    package let text: String

    /// Reads a username as a user typed it.
    package init(_ typed: String) throws(Mistake) {
        // Folding a long string takes long: a longer one is refused at once.
        guard typed.utf8.count <= 4 * Self.maximumAddressByteCount else { throw .length }
        let folded = typed.trimmingCharacters(in: .whitespacesAndNewlines)
            .precomposedStringWithCompatibilityMapping
            .folding(options: .caseInsensitive, locale: nil)
            .precomposedStringWithCompatibilityMapping
        try Self.check(folded)
        text = folded
    }

    /// Restores an account's username.
    package init(stored: String) { text = stored }

    /// Whether the username is an email address.
    package var isAddress: Bool { text.contains("@") }

    private static func check(_ text: String) throws(Mistake) {
        let scalars = text.unicodeScalars
        if text.contains("@") {
            guard text.utf8.count <= maximumAddressByteCount else { throw .length }
            guard EmailAddress.isWellFormed(text) else { throw .address }
        } else {
            guard scalarCounts.contains(scalars.count) else { throw .length }
        }
        guard scalars.allSatisfy(isAllowed), let first = scalars.first, let last = scalars.last,
            !isPunctuation(first), !isPunctuation(last),
            first.properties.generalCategory != .nonspacingMark
        else { throw .characters }
        guard WritingSystem.isUnmistakable(scalars) else { throw .confusable }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        isLetter(scalar) || isPunctuation(scalar) || ("0"..."9").contains(scalar)
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        // Fillers and variation selectors count as letters and marks but are invisible.
        guard !scalar.properties.isDefaultIgnorableCodePoint else { return false }
        return switch scalar.properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark: true
        default: false
        }
    }

    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        "._-+@".unicodeScalars.contains(scalar)
    }
}
