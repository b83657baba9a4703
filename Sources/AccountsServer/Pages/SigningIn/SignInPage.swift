import Foundation
import SignInWithApple

/// The page that signs a person in: with Apple, with a password, or to a new account.
struct SignInPage: Page {
    static let template = PageTemplate.signIn

    let offer: SignInOffer
    var notice: Notice?
    /// The name of the account whose password was just set.
    var username = ""
    /// Since when an Apple identity opens the account too whose password was just set.
    var appleLinkedAt: Date?
    /// The own page that the person goes to afterwards.
    var returnPath = WebPath.account
    var refused: (error: ServerError, posted: PostedForm)?
    /// The app that has sent the browser here, if one has.
    var app: AppOrigin?
    /// The refusal of the form for a new account, which then stands open.
    var refusedAccount: (error: ServerError, posted: PostedForm)?

    var refusal: ServerError? { (refused ?? refusedAccount)?.error }

    var formTargets: [String] { app?.formTargets ?? [] }

    func title(_ text: PageText) -> String { text.title("signInTitle", isRefused: refusal != nil) }

    func values(_ text: PageText) -> [String: Any?] {
        [
            "notice": notice.map { text["notice.\($0.rawValue)"] },
            "appleNotice": appleLinkedAt.map {
                text.text("passwordResetApple", ["day": text.day($0)])
            },
            "appleButton": offer.hasAppleButton
                ? WebPath.signInApple(returningTo: returnPath) : nil,
            "form": form.values(text),
            "app": app?.values,
            "appLead": app.map { text.text("appLead", ["client": $0.clientID.rawValue]) },
            "forgottenPath": offer.hasMail ? WebPath.forgottenPassword : nil,
            "newAccount": newAccount.form.values(text),
            "isNewAccountOpen": refusedAccount != nil,
        ]
    }

    private var newAccount: NewAccountForm {
        NewAccountForm(
            offer: offer,
            isOnSignInPage: true,
            returnPath: returnPath,
            refused: refusedAccount
        )
    }

    private var form: PageForm {
        var form = PageForm(
            action: WebPath.signInPassword,
            button: "signInButton",
            fields: [FormField(kind: .username, value: username), FormField(kind: .password)]
        )
        if returnPath != WebPath.account { form.hidden = [(ReturnPath.parameter, returnPath)] }
        return refused.map { form.refused($0.error, $0.posted) } ?? form
    }
}

/// What this server can offer besides signing in with a password.
struct SignInOffer: Hashable, Sendable {
    /// Whether browsers can sign in with Apple.
    let hasAppleButton: Bool
    /// Whether the server can write to people.
    let hasMail: Bool
}
