import HTMLPages

extension PackageResources: LanguageFiles {}

extension PageLanguage {
    /// The texts of the sheet and the account page.
    var sheetFile: [UInt8] { texts(of: PackageResources.self) }

    /// The texts of the console and the flows.
    var consoleFile: [UInt8] {
        switch self {
        case .english: PackageResources.console_en_json
        case .german: PackageResources.console_de_json
        case .french: PackageResources.console_fr_json
        case .spanish: PackageResources.console_es_json
        case .japanese: PackageResources.console_ja_json
        case .korean: PackageResources.console_ko_json
        case .arabic: PackageResources.console_ar_json
        }
    }
}
