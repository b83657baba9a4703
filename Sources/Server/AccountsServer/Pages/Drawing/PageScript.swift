/// The scripts of the pages.
enum PageScript {
    /// Shows times in the browser's zone, and the button that saves the name once it was changed.
    static let account = String(decoding: PackageResources.account_js, as: UTF8.self)
}
