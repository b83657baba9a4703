import SignInWithApple

/// The form that creates an account with a password, on its own page or on the sign-in page.
struct NewAccountForm {
    /// The hidden field that says on which page to show the refused form again.
    static let pageParameter = "page"
    /// The field's value for the sign-in page.
    static let signInPage = "sign-in"

    let offer: SignInOffer
    /// Whether the page has another form with the same fields.
    var isOnSignInPage = false
    /// The path of the page that follows.
    var returnPath = WebPath.account
    var refused: RefusedForm?

    var form: PageForm {
        let name = FormField(kind: .name, isRequired: false)
        let username = FormField(kind: .username, note: "usernameNote")
        let email = FormField(kind: .email, isRequired: false, note: "emailNote")
        let password = FormField(kind: .firstPassword, note: "newPasswordNote")
        var form = PageForm(
            action: WebPath.newAccount,
            button: "newAccountButton",
            fields: [name, username] + (offer.hasMail ? [email] : []) + [password]
        )
        if isOnSignInPage {
            form.idPrefix = "new-"
            form.hidden.append((Self.pageParameter, Self.signInPage))
        }
        if returnPath != WebPath.account {
            form.hidden.append((ReturnPath.parameter, returnPath))
        }
        return form.refused(refused)
    }
}
