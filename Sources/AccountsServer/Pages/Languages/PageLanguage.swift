import HTMLPages
import Hummingbird

/// A language of the pages and of e-mail.
enum PageLanguage: String, SpokenLanguage {
    case english = "en"
    case german = "de"

    static let standard = PageLanguage.english

    /// The best language for a browser.
    init(of request: Request) {
        self.init(preferredBy: request.headers[.acceptLanguage])
    }

    var file: [UInt8] {
        switch self {
        case .english: PackageResources.en_json
        case .german: PackageResources.de_json
        }
    }

    /// The locale that formats days and numbers.
    var region: String {
        switch self {
        case .english: "en_GB"
        case .german: "de_DE"
        }
    }
}
