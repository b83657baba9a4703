import HTTPTypes

/// A page: which template draws it, and what it shows in any language.
protocol Page {
    static var template: PageTemplate { get }

    /// The status it is answered with.
    var status: HTTPResponse.Status { get }

    /// What the window is called.
    func title(_ text: PageText) -> String

    /// What the template shows besides the layout's own values.
    func values(_ text: PageText) -> [String: Any?]
}

extension Page {
    var status: HTTPResponse.Status { .ok }
}

/// The templates of whole pages.
enum PageTemplate: String, CaseIterable {
    case account, deletion, refusal, signIn

    private var file: [UInt8] {
        switch self {
        case .account: PackageResources.account_mustache
        case .deletion: PackageResources.deletion_mustache
        case .refusal: PackageResources.refusal_mustache
        case .signIn: PackageResources.signIn_mustache
        }
    }

    /// Every template, with those that several pages share, by name.
    static var sources: [String: [UInt8]] {
        let pages = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0.file) })
        let shared: [String: [UInt8]] = [
            "layout": PackageResources.layout_mustache,
            "appleButton": PackageResources.appleButton_mustache,
        ]
        return pages.merging(shared) { page, _ in page }
    }
}
