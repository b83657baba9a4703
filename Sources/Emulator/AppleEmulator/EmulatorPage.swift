/// The content of a page, which `AppleEmulatorPages` renders.
package enum EmulatorPage: Sendable {
    /// The sheet of an app's sign-in; its form goes to `/auth/authorize/sheet`.
    case sheet(SheetPage)
    /// Sends the response to the app by a form that submits itself.
    case formPost(FormPostPage)
    /// Sends the response to the page that opened the popup.
    case webMessage(WebMessagePage)
    /// The error page instead of a sheet.
    case failure(FailurePage)
    case account(AppleAccountPage)
    /// The start page, which leads to the account page and the console.
    case home
    /// The script for sign-in pages, in the language of a locale.
    case script(locale: String)
    case button(ButtonPicture)

    /// The fields that the page's forms send in addition to the typed ones.
    package var hiddenFields: [(name: String, value: String)] {
        switch self {
        case .sheet(let page): [("transaction", page.transaction)]
        case .formPost(let page): page.fields
        case .account(let page): page.hiddenFields
        case .webMessage, .failure, .home, .script, .button: []
        }
    }
}

/// The error page instead of a sheet.
package struct FailurePage: Sendable {
    package var code: String
    /// Apple's sentence; nil if Apple shows none.
    package var text: String?
    /// The problem, if the page describes it in the browser's language.
    package var problem: PageProblem?
    /// The cause and its fix, which Apple does not show.
    package var hint: String
    /// The client or redirect URI that the page offers to register.
    package var missing: MissingRegistration?
}

/// A client or a redirect URI of an authorization request that is not registered.
package struct MissingRegistration: Hashable, Sendable {
    package var clientID: String
    package var redirectURI: String
    /// Whether only the redirect URI is missing.
    package var isClientKnown = false
}

/// The page whose form sends Apple's response to the app's redirect URI.
package struct FormPostPage: Sendable {
    package var redirectURI: String
    package var appName: String
    /// The fields, in Apple's order.
    package var fields: [(name: String, value: String)]
}

/// A problem with a form of the sheet or the account page; it has a text in each language.
package enum PageProblem: String, CaseIterable, Sendable {
    // Signing in
    case wrongPassword, wrongDigits, tooManyAttempts, signInOver, stepNotPossible
    case otherSite, otherBrowser
    // The consent
    case nameTooLong, consentUnanswered, emailChoiceWrong
    // The account page
    case outOfDate, notUnderstood, unknownApp, noRelayAddress, chooseAddress, understandFirst
}

/// The page of a popup that sends Apple's response to the page which opened it.
package struct WebMessagePage: Sendable {
    package var message: String
    /// The only origin that may read it.
    package var targetOrigin: String
    package var appName: String
}

/// The content of one page of the sheet, without its layout.
package struct SheetPage: Sendable {
    /// The path to which its forms are sent.
    package static let path = "/auth/authorize/sheet"
    /// The prefix of the action that chooses a person; the person's ID follows.
    package static let chooseAction = "choose-"
    /// The prefix of the action that signs a person in without password and code.
    package static let enterAction = "enter-"

    /// The question of the page.
    package enum Step: Sendable {
        /// A choice among the people signed in to the browser, the most recent first.
        case chooser([Account])
        /// The account's email address and password, with known people as suggestions.
        ///
        /// A person with an action has a button.
        case signIn(email: String, knownPeople: [Account])
        /// The verification code, which the page shows in place of a trusted device.
        case twoFactor(email: String, digits: String)
        /// Consent, at a person's first authorization for an app.
        case consent(ConsentPage)
        /// Confirmation by a person who has used the app before.
        case returning(Account)

        /// The question without its values.
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

    package struct Account: Hashable, Sendable {
        package var personName: String
        package var email: String
        /// The action of the person's button; empty if there is no button.
        package var action = ""
    }

    package var transaction: String
    package var appName: String
    package var step: Step
    package var problem: PageProblem?
}

/// The questions of the first authorization for an app.
package struct ConsentPage: Sendable {
    package static let maximumNameCharacterCount = 100

    /// The account's email address, which the app receives if the person shares it.
    package var email: String
    package var asksName: Bool
    package var givenName: String
    package var familyName: String
    /// The names of the account, which the person may change for the app.
    package var knownGivenName = ""
    package var knownFamilyName = ""
    /// Whether the app requested the email address and the account has one.
    package var asksEmail: Bool
    /// Whether hiding the email address is preselected.
    package var hidesEmail = false
    /// The email addresses that the person may share; with more than one there is a choice.
    package var addresses: [String]
    package var chosenAddress: String
    /// Whether an organization manages the account, whose email address then cannot be hidden.
    package var isManaged = false
    /// Whether the app requested an email address and the account has none.
    package var lacksEmail = false
    /// Whether the account's email address is not verified.
    package var isEmailUnverified = false
    /// Whether the person has used no app with this account so far.
    package var isFirstApp = false
}
