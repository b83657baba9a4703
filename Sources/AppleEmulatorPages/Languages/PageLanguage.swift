import Foundation

/// A language that the sheet and the account page speak.
enum PageLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"
    case french = "fr"
    case spanish = "es"
    case japanese = "ja"
    case korean = "ko"
    case arabic = "ar"

    /// The longest `Accept-Language` field that is read, in bytes.
    private static let maximumFieldByteCount = 1_024

    /// The language a browser asks for: the likeliest that the pages speak, English otherwise.
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

    /// The texts of every language.
    ///
    /// - Throws: `DecodingError` when a file is not an object of texts.
    static func allWords() throws -> [PageLanguage: PageWords] {
        try Dictionary(
            uniqueKeysWithValues: allCases.map { ($0, try PageWords(json: $0.file)) }
        )
    }

    /// The texts as they are embedded in the program.
    private var file: [UInt8] {
        switch self {
        case .english: PackageResources.en_json
        case .german: PackageResources.de_json
        case .french: PackageResources.fr_json
        case .spanish: PackageResources.es_json
        case .japanese: PackageResources.ja_json
        case .korean: PackageResources.ko_json
        case .arabic: PackageResources.ar_json
        }
    }

    /// A day, as people who read this language write it.
    func day(_ date: Date) -> String {
        date.formatted(
            Date.FormatStyle(
                date: .long,
                time: .omitted,
                locale: Locale(identifier: tag),
                timeZone: .gmt
            )
        )
    }

    /// The language of a tag, whatever its script and region.
    private static func speaking(_ tag: Substring) -> PageLanguage? {
        PageLanguage(rawValue: tag.prefix { $0 != "-" }.lowercased())
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
