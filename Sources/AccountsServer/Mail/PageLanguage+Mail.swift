import Foundation
import HTMLPages

extension PageLanguage {
    /// What mail says in this language; throws `DecodingError` when the file is not an object of texts.
    func mailText(appName: String) throws -> PageText {
        let file =
            switch self {
            case .english: PackageResources.mailEnglish_json
            case .german: PackageResources.mailGerman_json
            }
        return PageText(self, try PageStrings(json: file), appName: appName)
    }

    /// A moment, as people who read this language write it; a mail knows nobody's time zone.
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
