import Foundation
import HTMLPages
import Hummingbird

extension PackageResources: LanguageFiles {}

extension PageLanguage {
    /// The best language for a browser.
    init(of request: Request) {
        self.init(preferredBy: request.headers[.acceptLanguage])
    }

    /// The texts of the pages and, below `mail.`, of the emails.
    var pageFile: [UInt8] { texts(of: PackageResources.self) }

    /// The locale that formats days and numbers: the British one, and each other language's own.
    var region: String { self == .english ? "en_GB" : tag }

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
