import Foundation
import HTMLPages

extension PageLanguage {
    /// The texts of emails.
    var mailFile: [UInt8] {
        switch self {
        case .english: PackageResources.mailEnglish_json
        case .german: PackageResources.mailGerman_json
        case .french: PackageResources.mailFrench_json
        case .spanish: PackageResources.mailSpanish_json
        case .japanese: PackageResources.mailJapanese_json
        case .korean: PackageResources.mailKorean_json
        case .arabic: PackageResources.mailArabic_json
        }
    }

    /// Formats a time for readers of this language, in UTC because the user's time zone is unknown.
    func moment(_ date: Date) -> String {
        let format = Date.FormatStyle(
            date: .long,
            time: .shortened,
            locale: Locale(identifier: region),
            timeZone: .gmt
        )
        return date.formatted(format) + " UTC"
    }
}
