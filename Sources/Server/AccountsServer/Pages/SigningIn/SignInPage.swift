import Foundation
import SignInWithApple

/// The page for signing in with Apple or a password, or with a new account.
struct SignInPage: Page {
    static let template = PageTemplate.signIn

    let offer: SignInOffer
    var notice: Notice?
    /// The username of the account whose password was just reset.
    var username = ""
    /// The time at which an Apple Account was linked to the account whose password was just reset.
    var appleLinkedAt: Date?
    /// The keys of texts about what an undone change could not restore.
    var warnings: [String] = []
    /// The address that the user confirms after the sign-in; the page shows it masked.
    var confirmedAddress: String?
    /// The path of the page that follows.
    var returnPath = WebPath.account
    var refused: RefusedForm?
    /// The app that sent the browser to the page; nil for none.
    var app: AppOrigin?
    /// The refused form for a new account, which is then shown open.
    var refusedAccount: RefusedForm?

    var refusal: ServerError? { (refused ?? refusedAccount)?.error }

    var formTargets: [String] { app?.formTargets ?? [] }

    var titleWord: String { "signInTitle" }

    func values(_ text: PageText) -> [String: Any?] {
        [
            "heading": text[confirmedAddress == nil ? "welcome" : "verificationTitle"],
            "lead": confirmedAddress.map {
                text.text("verificationSignIn", ["address": Self.masked($0)])
            } ?? text[offer.hasAppleButton ? "signInLead" : "passwordLead"],
            "notice": notice.map { text["notice.\($0.rawValue)"] },
            "appleNotice": appleLinkedAt.map {
                text.text("passwordResetApple", ["day": text.day($0)])
            },
            "warnings": warnings.map { text[$0] },
            "appleButton": offer.hasAppleButton
                ? WebPath.signInApple(returningTo: returnPath) : nil,
            "form": form.values(text),
            "app": app?.values,
            "appLead": app.map { text.text("appLead", ["client": $0.clientID.rawValue]) },
            "forgottenPath": offer.hasMail ? WebPath.forgottenPassword : nil,
            // A new account cannot confirm the address of another one.
            "newAccount": confirmedAddress == nil ? newAccount.form.values(text) : nil,
            "isNewAccountOpen": refusedAccount != nil,
        ]
    }

    /// Returns "m•••@example.com": the link may have reached someone else.
    private static func masked(_ address: String) -> String {
        "\(address.prefix(1))•••\(address.drop { $0 != "@" })"
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
            fields: [
                FormField(kind: .usernameOrEmail, value: username), FormField(kind: .password),
            ]
        )
        if returnPath != WebPath.account { form.hidden = [(ReturnPath.parameter, returnPath)] }
        return form.refused(refused)
    }
}

/// The optional features of this server.
struct SignInOffer: Hashable, Sendable {
    /// Whether browsers can sign in with Apple.
    let hasAppleButton: Bool
    let hasMail: Bool
}
