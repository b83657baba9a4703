import HTMLPages
import Hummingbird

extension PageLanguage {
    /// The best language for a browser.
    init(of request: Request) {
        self.init(preferredBy: request.headers[.acceptLanguage])
    }

    /// The texts of the pages.
    var pageFile: [UInt8] {
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

    /// The locale that formats days and numbers: the British one, and each other language's own.
    var region: String { self == .english ? "en_GB" : tag }
}
