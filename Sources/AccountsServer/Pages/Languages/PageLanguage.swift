import HTMLPages
import Hummingbird

/// A language that the pages speak, and in which the server writes to people.
enum PageLanguage: String, SpokenLanguage {
    case english = "en"
    case german = "de"

    static let standard = PageLanguage.english

    /// The language that a browser asks for.
    init(of request: Request) {
        self.init(preferredBy: request.headers[.acceptLanguage])
    }

    var file: [UInt8] {
        switch self {
        case .english: PackageResources.en_json
        case .german: PackageResources.de_json
        }
    }

    /// Where days and numbers are written as on the pages.
    var region: String {
        switch self {
        case .english: "en_GB"
        case .german: "de_DE"
        }
    }
}
