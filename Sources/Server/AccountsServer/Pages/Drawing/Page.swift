/// A page: its template, and its values in any language.
protocol Page {
    static var template: PageTemplate { get }

    /// The key of the title's text.
    var titleWord: String { get }

    /// The error that the page shows; the response has its status and header fields.
    var refusal: ServerError? { get }

    /// Other origins to which a form of the page may lead by a redirect.
    var formTargets: [String] { get }

    /// The script of the page, without which everything works.
    var script: String? { get }

    func title(_ text: PageText) -> String

    /// Returns the values of the template, without those of the layout.
    func values(_ text: PageText) -> [String: Any?]
}

extension Page {
    /// The title; an error comes first, because screen readers read it first.
    func title(_ text: PageText) -> String {
        refusal == nil ? text[titleWord] : text.text("titleOfError", ["title": text[titleWord]])
    }

    var refusal: ServerError? { nil }

    var formTargets: [String] { [] }

    var script: String? { nil }
}

/// What a user posted with a form that was refused.
typealias RefusedForm = (error: ServerError, posted: PostedForm)

/// A page with a form, which shows the error of a refused one.
protocol FormPage: Page {
    var refused: RefusedForm? { get }
}

extension FormPage {
    var refusal: ServerError? { refused?.error }
}

/// The templates of whole pages.
enum PageTemplate: String, CaseIterable {
    case account, appleLink, confirmation, deletion, forgottenPassword, newAccount, newPassword
    case refusal, signIn, verification, appConfirmation, appReturn, interface, callbackForwarding,
        undo

    private var file: [UInt8] {
        switch self {
        case .account: PackageResources.account_mustache
        case .appConfirmation: PackageResources.appConfirmation_mustache
        case .appleLink: PackageResources.appleLink_mustache
        case .appReturn: PackageResources.appReturn_mustache
        case .callbackForwarding: PackageResources.callbackForwarding_mustache
        case .confirmation: PackageResources.confirmation_mustache
        case .deletion: PackageResources.deletion_mustache
        case .forgottenPassword: PackageResources.forgottenPassword_mustache
        case .interface: PackageResources.interface_mustache
        case .newAccount: PackageResources.newAccount_mustache
        case .newPassword: PackageResources.newPassword_mustache
        case .refusal: PackageResources.refusal_mustache
        case .signIn: PackageResources.signIn_mustache
        case .undo: PackageResources.undo_mustache
        case .verification: PackageResources.verification_mustache
        }
    }

    /// All templates by name, including those that pages share.
    static var sources: [String: [UInt8]] {
        let pages = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0.file) })
        let shared: [String: [UInt8]] = [
            "layout": PackageResources.layout_mustache,
            "brand": PackageResources.brand_mustache,
            "appleButton": PackageResources.appleButton_mustache,
            "field": PackageResources.field_mustache,
            "form": PackageResources.form_mustache,
            "monogram": PackageResources.monogram_mustache,
            "freshProof": PackageResources.freshProof_mustache,
        ]
        return pages.merging(shared) { page, _ in page }
    }
}
