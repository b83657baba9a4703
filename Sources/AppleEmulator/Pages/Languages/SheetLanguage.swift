/// A language the sheet speaks.
package enum SheetLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"
    case french = "fr"
    case spanish = "es"
    case japanese = "ja"
    case korean = "ko"
    case arabic = "ar"

    /// The longest `Accept-Language` field that is read, in bytes.
    private static let maximumFieldByteCount = 1_024

    /// The language a browser asks for: the likeliest that the sheet speaks, English otherwise.
    ///
    /// Source: [RFC 9110, section 12.5.4](https://www.rfc-editor.org/rfc/rfc9110#section-12.5.4)
    init(preferredBy field: String?) {
        let ranges = Self.ranges(in: field ?? "")
        let known = ranges.compactMap { range in
            Self.speaking(range.tag).map { (language: $0, weight: range.weight) }
        }
        // The first of several with the same weight is the one that stands first.
        let best = known.filter { $0.weight > 0 }.enumerated().max {
            ($0.element.weight, -$0.offset) < ($1.element.weight, -$1.offset)
        }
        self = best?.element.language ?? .english
    }

    /// The tag of the page's language.
    var tag: String { rawValue }

    /// Whether the language is written from right to left.
    var isRightToLeft: Bool { self == .arabic }

    var words: SheetWords { texts.sheet }

    var accountText: AccountText { texts.account }

    private var texts: (sheet: SheetWords, account: AccountText) {
        switch self {
        case .english: (.english, .english)
        case .german: (.german, .german)
        case .french: (.french, .french)
        case .spanish: (.spanish, .spanish)
        case .japanese: (.japanese, .japanese)
        case .korean: (.korean, .korean)
        case .arabic: (.arabic, .arabic)
        }
    }

    /// What the layout of every page needs to know of its language.
    var frame: [String: Any] {
        var frame: [String: Any] = ["language": tag, "words": words.values]
        if isRightToLeft { frame["direction"] = "rtl" }
        return frame
    }

    /// The language of a tag, whatever its script and region.
    private static func speaking(_ tag: Substring) -> SheetLanguage? {
        SheetLanguage(rawValue: tag.prefix { $0 != "-" }.lowercased())
    }

    private static func ranges(in field: String) -> [(tag: Substring, weight: Double)] {
        guard field.utf8.count <= maximumFieldByteCount else { return [] }
        return field.split(separator: ",").compactMap { item in
            let parts = item.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            guard let tag = parts.first else { return nil }
            let weight = parts.dropFirst().first { $0.lowercased().hasPrefix("q=") }
            return (Substring(tag), weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1)
        }
    }
}
