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
    package var redirectURI: String
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
    package var appName: String
}

/// One page of the sheet that stands for Apple's: what it asks, not how it looks.
package struct SheetPage: Sendable {
    /// Where its forms go.
    package static let path = "/auth/authorize/sheet"
    /// What the action of a button that chooses a person begins with; the person's number follows.
    package static let chooseAction = "choose-"

    /// What it asks.
    package enum Step: Sendable {
        /// Who of those signed in to the browser it shall be, the latest first.
        case chooser([Account])
        /// The account's address and password; the people this emulator knows are a hint.
        case signIn(email: String, knownEmails: [String])
        /// The six digits of a trusted device, which the page plays.
        case twoFactor(email: String, digits: String)
        /// Consent, the first time a person meets an app.
        case consent(ConsentPage)
        /// Whether a person who has used the app before goes on.
        case returning(Account)

        /// What it asks, without any of its values.
        var prompt: Prompt {
            switch self {
            case .chooser: .chooser
            case .signIn: .signIn
            case .twoFactor: .twoFactor
            case .consent: .consent
            case .returning: .returning
            }
        }
    }

    package enum Prompt: Sendable { case chooser, signIn, twoFactor, consent, returning }

    /// A person as the sheet names them.
    package struct Account: Hashable, Sendable {
        package var personName: String
        package var email: String
        /// The action of the button that chooses them.
        package var action = ""
    }

    package var transaction: String
    package var appName: String
    package var step: Step
    package var problem: PageProblem?
}

/// What the sheet asks the first time a person meets an app.
package struct ConsentPage: Sendable {
    package static let maximumNameCharacterCount = 100

    /// The address of the account, which sharing would tell the app.
    package var email: String
    package var asksName: Bool
    package var givenName: String
    package var familyName: String
    /// Whether the app asked for the e-mail address, and there is one.
    package var asksEmail: Bool
    /// Whether hiding the address is chosen at first.
    package var hidesEmail = false
    /// The addresses the person may share; with more than one there is a choice.
    package var addresses: [String]
    package var chosenAddress: String
    /// Whether an organization manages the account, so that its address can't be hidden.
    package var isManaged = false
    /// Whether the app asked for an address and the account has none.
    package var lacksEmail = false
    /// Whether nobody vouches for the account's address.
    package var isEmailUnverified = false
    /// Whether the person uses no app with this account so far.
    package var isFirstApp = false
}
