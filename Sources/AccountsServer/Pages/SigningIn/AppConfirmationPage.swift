import Accounts
import AppleIdentity

/// The app that has sent the browser here, as pages name it.
struct AppOrigin {
    let requestID: String
    let clientID: ClientID
    /// Where it gets the answer.
    let redirect: RedirectAddress

    /// What a page with the app's forms may lead to.
    var formTargets: [String] { [redirect.formTarget] }

    /// What the templates show.
    var values: [String: Any] {
        ["requestID": requestID, "clientID": clientID.rawValue, "action": WebPath.appConfirmation]
    }
}

/// The page on which a signed-in person decides whether an app may come back with their account.
struct AppConfirmationPage: Page {
    static let template = PageTemplate.appConfirmation

    let app: AppOrigin
    let visitor: SignedInSession

    var formTargets: [String] { app.formTargets }

    func title(_ text: PageText) -> String { text["appTitle"] }

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

/// What a browser shows that does not follow the redirect to the app by itself.
struct AppReturnPage: Page {
    static let template = PageTemplate.appReturn

    let app: AppOrigin
    /// The app's address with the answer.
    let address: String

    var formTargets: [String] { app.formTargets }

    func title(_ text: PageText) -> String { text["appReturnTitle"] }

    func values(_ text: PageText) -> [String: Any?] { ["address": address] }
}
