/// A user's name as Apple sends it: two parts, either of which may be missing.
public struct PersonName: Hashable, Sendable, Codable {
    /// The given name; nil if it is missing or empty.
    public var givenName: String?
    /// The family name; nil if it is missing or empty.
    public var familyName: String?

    /// Creates a name; an empty part counts as missing.
    public init(givenName: String? = nil, familyName: String? = nil) {
        self.givenName = givenName?.isEmpty == true ? nil : givenName
        self.familyName = familyName?.isEmpty == true ? nil : familyName
    }

    /// Whether both parts are missing.
    public var isEmpty: Bool { givenName == nil && familyName == nil }

    /// The full name in one line, empty if both parts are missing.
    ///
    /// If both parts are in Han, Hangul or Kana, the family name comes first, without a space.
    ///
    /// Source: [CLDR person names](https://www.unicode.org/reports/tr35/tr35-personNames.html)
    public var displayName: String {
        guard let givenName, let familyName else { return givenName ?? familyName ?? "" }
        let isFamilyNameFirst = givenName.isEastAsian && familyName.isEastAsian
        return isFamilyNameFirst ? familyName + givenName : "\(givenName) \(familyName)"
    }
}

extension String {
    /// Whether all of it is in Han, Hangul or Kana.
    fileprivate var isEastAsian: Bool { unicodeScalars.allSatisfy(\.isEastAsian) }
}

extension Unicode.Scalar {
    /// Whether it is a letter of Han, Hangul or Kana, or the mark that selects the form of one.
    ///
    /// The middle dot of Kana joins foreign names, whose given name comes first.
    ///
    /// Source: [Unicode scripts](https://www.unicode.org/Public/UCD/latest/ucd/Scripts.txt)
    fileprivate var isEastAsian: Bool {
        switch value {
        // Han
        case 0x2E80...0x2FD5, 0x3005, 0x3007, 0x3021...0x3029, 0x3038...0x303B, 0x3400...0x4DBF,
            0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x323AF:
            true
        // Hangul
        case 0x1100...0x11FF, 0x3131...0x318E, 0xA960...0xA97C, 0xAC00...0xD7FB, 0xFFA0...0xFFDC:
            true
        // Hiragana and Katakana
        case 0x3041...0x309F, 0x30A1...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F,
            0x1AFF0...0x1B16F:
            true
        default: properties.isVariationSelector
        }
    }
}

extension PersonName {
    /// The members of Foundation's `PersonNameComponents`, of which two are read.
    package static let componentNames = [
        "givenName", "familyName", "namePrefix", "middleName", "nameSuffix", "nickname",
        "phoneticRepresentation",
    ]

    /// Reads the name as an app sends it; nil if it is empty.
    package init?(components: JSONFields) throws(JSONFieldError) {
        try components.refuseOthers(than: Self.componentNames)
        self.init(
            givenName: try components.optionalText("givenName"),
            familyName: try components.optionalText("familyName")
        )
        if isEmpty { return nil }
    }
}
