import Foundation
import HTMLPages

extension PageLanguage {
    /// Returns the e-mail texts; throws `DecodingError` when the file is not an object of strings.
    func mailText(appName: String) throws -> PageText {
        let file =
            switch self {
            case .english: PackageResources.mailEnglish_json
            case .german: PackageResources.mailGerman_json
            }
        return PageText(self, try PageStrings(json: file), appName: appName)
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
