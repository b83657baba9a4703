import HTMLPages

extension PackageResources: LanguageFiles {}

extension PageLanguage {
    /// The texts of the sheet and the account page.
    var sheetFile: [UInt8] { texts(of: PackageResources.self) }
}
