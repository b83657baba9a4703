import HTMLPages

extension PageLanguage {
    /// The texts of the sheet and the account page.
    var sheetFile: [UInt8] {
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
