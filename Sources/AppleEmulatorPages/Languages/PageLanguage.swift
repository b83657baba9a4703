import HTMLPages

/// A language of the sheet and the account page.
enum PageLanguage: String, SpokenLanguage {
    case english = "en"
    case german = "de"
    case french = "fr"
    case spanish = "es"
    case japanese = "ja"
    case korean = "ko"
    case arabic = "ar"

    static let standard = PageLanguage.english

    var isRightToLeft: Bool { self == .arabic }

    var file: [UInt8] {
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
}
