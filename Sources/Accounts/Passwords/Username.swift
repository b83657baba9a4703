import Foundation

/// The name by which a person signs in with a password, in the one form that is stored and compared.
///
/// That form is NFKC with the case folded, so that no two names differ only in how they are typed. A name
/// that could be taken for another one is refused: letters of one writing system only, and none that are
/// written wholly with letters that look like Latin ones. An e-mail address is a name like any other.
///
/// Source: [RFC 8265, section 3.3](https://www.rfc-editor.org/rfc/rfc8265#section-3.3),
/// [Unicode Technical Standard 39, section 5.2](https://www.unicode.org/reports/tr39/#Restriction_Level_Detection)
public struct Username: Hashable, Sendable {
    /// Unicode scalars that a name may have.
    public static let scalarCounts = 3...64
    /// Bytes that an e-mail address may have as a name.
    ///
    /// Source: [RFC 5321, section 4.5.3.1.3](https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1.3)
    public static let maximumAddressByteCount = 254

    /// What is wrong with a name.
    public enum Mistake: String, Error, CaseIterable, Hashable, Sendable {
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
    public let text: String

    /// Reads a name that a person typed.
    ///
    /// - Parameter typed: the name, with white space around it or not.
    /// - Throws: ``Mistake``.
    public init(_ typed: String) throws(Mistake) {
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
    ///
    /// - Parameter stored: what ``text`` gave.
    public init(stored: String) {
        text = stored
    }

    /// Whether the name is an e-mail address.
    public var isAddress: Bool { text.contains("@") }

    private static func check(_ text: String) throws(Mistake) {
        let scalars = text.unicodeScalars
        if text.contains("@") {
            guard text.utf8.count <= maximumAddressByteCount else { throw .length }
            guard EmailAddress.isWellFormed(text) else { throw .address }
        } else {
            guard scalarCounts.contains(scalars.count) else { throw .length }
        }
        guard scalars.allSatisfy(isAllowed), let first = scalars.first, let last = scalars.last,
            !isPunctuation(first), !isPunctuation(last)
        else { throw .characters }
        guard WritingSystem.isUnmistakable(scalars) else { throw .confusable }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        isLetter(scalar) || isPunctuation(scalar) || ("0"..."9").contains(scalar)
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark: true
        default: false
        }
    }

    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        "._-+@".unicodeScalars.contains(scalar)
    }
}

/// The writing systems that names are told apart by.
private enum WritingSystem: Hashable {
    case latin, greek, cyrillic, japanese, korean, other(UInt32)

    /// Whether letters are of one writing system, or of those that are written together, and not all of
    /// them look like Latin ones.
    static func isUnmistakable(_ scalars: String.UnicodeScalarView) -> Bool {
        let letters = scalars.filter { !$0.isASCII || $0.properties.isAlphabetic }
            .filter { $0.properties.generalCategory != .nonspacingMark }
        let systems = Set(letters.map { WritingSystem($0) })
        switch systems.count {
        case 0: return true
        case 1:
            let isForeign = systems != [.latin]
            return !(isForeign && letters.allSatisfy { looksLatin.contains($0) })
        // Japanese and Korean are written with Latin words in between; their letters look like none of them.
        default: return systems == [.latin, .japanese] || systems == [.latin, .korean]
        }
    }

    private init(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0...0x2AF, 0x1D00...0x1D7F, 0x1E00...0x1EFF, 0x2C60...0x2C7F, 0xA720...0xA7FF:
            self = .latin
        case 0x370...0x3FF, 0x1F00...0x1FFF: self = .greek
        case 0x400...0x52F, 0x1C80...0x1C8F, 0x2DE0...0x2DFF, 0xA640...0xA69F: self = .cyrillic
        case 0x3005...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0x20000...0x3134F:
            self = .japanese
        case 0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7AF: self = .korean
        // Others fill blocks of 128 code points of their own.
        default: self = .other(scalar.value >> 7)
        }
    }

    /// Letters of other writing systems that look like a Latin one in common fonts.
    ///
    /// Source: [Unicode confusables](https://www.unicode.org/Public/security/latest/confusables.txt)
    private static let looksLatin = Set(
        "аеорсухіјѕһԁԛԝӏкмнтвгпьαοινκρτυχγωвʜ".unicodeScalars + "հոսցք".unicodeScalars
    )
}
