import Accounts
import AppleIdentity

/// The app that sent the browser to the page.
struct AppOrigin {
    let requestID: String
    let clientID: ClientID
    /// The redirect URI of the app.
    let redirect: RedirectAddress

    /// The origins to which a form of the page may lead.
    var formTargets: [String] { [redirect.formTarget].compactMap(\.self) }

    /// The values of the templates.
    var values: [String: Any] {
        ["requestID": requestID, "clientID": clientID.rawValue, "action": WebPath.appConfirmation]
    }
}

/// The page on which a signed-in user decides whether to continue to an app.
struct AppConfirmationPage: Page {
    static let template = PageTemplate.appConfirmation

    let app: AppOrigin
    let visitor: SignedInSession

    var formTargets: [String] { app.formTargets }

    var titleWord: String { "appTitle" }

    func values(_ text: PageText) -> [String: Any?] {
        let account = visitor.account
        let name = account.name?.text ?? account.username ?? account.email?.text
        return [
            "app": app.values,
            "session": visitor.session.id.rawValue,
            "lead": text.text("appLead", ["client": app.clientID.rawValue]),
            "name": name,
            "detail": [account.email?.text, account.username].compactMap(\.self).first {
                $0 != name
            },
            "continueLabel": name.map { text.text("continueAs", ["name": $0]) }
                ?? text["continueButton"],
        ]
    }
}

/// The page that links to the app, for browsers that do not follow the redirect by themselves.
struct AppReturnPage: Page {
    static let template = PageTemplate.appReturn

    let app: AppOrigin
    /// The app's redirect URI with the response.
    let address: String

    var formTargets: [String] { app.formTargets }

    var titleWord: String { "appReturnTitle" }

    func values(_ text: PageText) -> [String: Any?] { ["address": address] }
}
