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

/// The page that says why there is no sheet.
package struct FailurePage: Sendable {
    /// The error code, such as `invalid_client`.
    package var code: String
    /// The sentence that Apple shows; nil where Apple shows none.
    package var text: String?
    /// What is wrong, where the page says it in the browser's language.
    package var problem: PageProblem?
    /// The cause and its fix in words, which Apple would keep to itself.
    package var hint: String
}

/// The page whose form carries Apple's answer to the app's redirect address.
package struct FormPostPage: Sendable {
    /// Where the form goes.
    package var redirectURI: String
    /// The name of the app that asked.
    package var appName: String
    /// The fields, in Apple's order.
    package var fields: [(name: String, value: String)]
}

/// What is wrong with a form of the sheet or the account page; each has a text in every language.
package enum PageProblem: String, CaseIterable, Sendable {
    // Signing in
    case wrongPassword, wrongDigits, tooManyAttempts, signInOver, stepNotPossible
    case otherSite, otherBrowser
    // The consent
    case nameTooLong, consentUnanswered, emailChoiceWrong
    // The account page
    case outOfDate, notUnderstood, unknownApp, noRelayAddress, chooseAddress, understandFirst
}

/// The page of a popup that hands Apple's answer to the page which opened it.
package struct WebMessagePage: Sendable {
    /// The message, a JSON text.
    package var message: String
    /// The only origin that may read it.
    package var targetOrigin: String
    /// The name of the app that asked.
    package var appName: String
}
