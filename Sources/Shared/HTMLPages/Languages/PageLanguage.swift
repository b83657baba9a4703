import Foundation

/// A language of the pages and emails.
package enum PageLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"
    case french = "fr"
    case spanish = "es"
    case japanese = "ja"
    case korean = "ko"
    case arabic = "ar"

    /// The texts of a target in this language.
    package func texts(of target: any LanguageFiles.Type) -> [UInt8] {
        switch self {
        case .english: target.en_json
        case .german: target.de_json
        case .french: target.fr_json
        case .spanish: target.es_json
        case .japanese: target.ja_json
        case .korean: target.ko_json
        case .arabic: target.ar_json
        }
    }
}

/// The files in `Resources/Languages` of a target, by the names that SwiftPM gives embedded resources.
// swift-format-ignore: AlwaysUseLowerCamelCase
package protocol LanguageFiles {
    static var en_json: [UInt8] { get }
    static var de_json: [UInt8] { get }
    static var fr_json: [UInt8] { get }
    static var es_json: [UInt8] { get }
    static var ja_json: [UInt8] { get }
    static var ko_json: [UInt8] { get }
    static var ar_json: [UInt8] { get }
}

extension PageLanguage {
    package var tag: String { rawValue }

    package var isRightToLeft: Bool { Self.rightToLeft.contains(self) }

    private static let rightToLeft = Set(
        allCases.filter {
            Locale.Language(identifier: $0.tag).characterDirection == .rightToLeft
        }
    )

    /// The value of the `dir` attribute; nil for the direction that browsers assume.
    package var direction: String? { isRightToLeft ? "rtl" : nil }

    /// The language that the browser prefers, or English.
    ///
    /// Source: [RFC 9110, section 12.5.4](https://www.rfc-editor.org/rfc/rfc9110#section-12.5.4)
    package init(preferredBy field: String?) {
        guard let field else {
            self = .english
            return
        }
        let known = LanguageRange.ranges(in: field).compactMap { range in
            Self.speaking(range.tag).map { (language: $0, weight: range.weight) }
        }
        // Of several with the same weight, the first one is used.
        let best = known.filter { $0.weight > 0 }.enumerated().max {
            ($0.element.weight, -$0.offset) < ($1.element.weight, -$1.offset)
        }
        self = best?.element.language ?? .english
    }

    /// Returns the texts of every language; throws `DecodingError` for a file that is unreadable.
    package static func words(
        _ file: (PageLanguage) -> [UInt8]
    ) throws -> [PageLanguage: PageStrings] {
        try Dictionary(
            uniqueKeysWithValues: allCases.map { ($0, try PageStrings(json: file($0))) }
        )
    }

    /// A day in UTC, as readers of this language write it.
    package func day(_ date: Date, as region: String? = nil) -> String {
        date.formatted(
            Date.FormatStyle(
                date: .long,
                time: .omitted,
                locale: Locale(identifier: region ?? tag),
                timeZone: .gmt
            )
        )
    }

    /// The language of a tag, with any script and region.
    private static func speaking(_ tag: Substring) -> PageLanguage? {
        PageLanguage(rawValue: tag.prefix { $0 != "-" }.lowercased())
    }
}

/// A language that a browser prefers, with its weight.
private struct LanguageRange {
    /// The maximum size of an `Accept-Language` field, in bytes.
    private static let maximumFieldByteCount = 1_024

    let tag: Substring
    let weight: Double

    static func ranges(in field: String) -> [LanguageRange] {
        guard field.utf8.count <= maximumFieldByteCount else { return [] }
        return field.split(separator: ",").compactMap { item in
            let parts = item.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            guard let tag = parts.first else { return nil }
            let weight = parts.dropFirst().first { $0.lowercased().hasPrefix("q=") }
            return LanguageRange(
                tag: Substring(tag),
                weight: weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            )
        }
    }
}
