import Foundation

/// The name by which a person signs in with a password, in the one form that is stored and compared.
///
/// That form is NFKC with the case folded, so that no two names differ only in how they are typed. A name
/// that could be taken for another one is refused: letters of one writing system only, and none that are
/// written wholly with letters that look like Latin ones. An e-mail address is a name like any other.
///
/// Source: [RFC 8265, section 3.3](https://www.rfc-editor.org/rfc/rfc8265#section-3.3),
/// [Unicode Technical Standard 39, section 5.2](https://www.unicode.org/reports/tr39/#Restriction_Level_Detection)
package struct Username: Hashable, Sendable {
    /// Unicode scalars that a name may have.
    package static let scalarCounts = 3...64
    /// Bytes that an e-mail address may have as a name.
    ///
    /// Source: [RFC 5321, section 4.5.3.1.3](https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1.3)
    package static let maximumAddressByteCount = 254

    /// What is wrong with a name.
    package enum Mistake: String, Error, CaseIterable, Hashable, Sendable {
        /// It has too few or too many characters.
        case length
        /// It has a character that is neither letter nor digit nor one of `. _ - + @`, or begins or ends
        /// with one of these.
        case characters
        /// It mixes writing systems, or could be taken for another name.
        case confusable
        /// It has an `@` and is no e-mail address.
        case address
    }

    /// The name in the form that is compared.
    package let text: String

    /// Reads a name that a person typed.
    package init(_ typed: String) throws(Mistake) {
        // Folding a long text takes long: nothing beyond the limit is looked at.
        guard typed.utf8.count <= 4 * Self.maximumAddressByteCount else { throw .length }
        let folded = typed.trimmingCharacters(in: .whitespacesAndNewlines)
            .precomposedStringWithCompatibilityMapping
            .folding(options: .caseInsensitive, locale: nil)
            .precomposedStringWithCompatibilityMapping
        try Self.check(folded)
        text = folded
    }

    /// The name as an account has it.
    package init(stored: String) { text = stored }

    /// Whether the name is an e-mail address.
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
        // Fillers and variation selectors count as letters and marks, and nobody sees them.
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
