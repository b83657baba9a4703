/// What a browser is shown: values, which `AppleEmulatorPages` draws.
package enum EmulatorPage: Sendable {
    /// Asks something for an app; its form goes to `/auth/authorize/sheet`.
    case sheet(SheetPage)
    /// Carries the answer to the app by a form that posts itself.
    case formPost(FormPostPage)
    /// Hands the answer to the page that opened the popup.
    case webMessage(WebMessagePage)
    /// Says why there is no sheet.
    case failure(FailurePage)
    /// A page of the Apple Account's settings.
    case account(AccountPage)
    /// The script that pages load, in the language of a locale.
    case script(locale: String)
    /// A picture of the button.
    case button(ButtonPicture)

    /// The fields that the page's forms send besides what a person types.
    package var hiddenFields: [(name: String, value: String)] {
        switch self {
        case .sheet(let page): [("transaction", page.transaction)]
        case .formPost(let page): page.fields
        case .account(let page): page.hiddenFields
        case .webMessage, .failure, .script, .button: []
        }
    }
}
