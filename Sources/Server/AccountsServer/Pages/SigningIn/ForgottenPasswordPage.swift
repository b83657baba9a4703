/// The page on which a user requests an email to reset a forgotten password.
struct ForgottenPasswordPage: FormPage {
    static let template = PageTemplate.forgottenPassword

    /// Whether the form was sent; the page never reveals whether the account exists.
    var isSent = false
    var refused: RefusedForm?

    var titleWord: String { isSent ? "mailSentTitle" : "forgottenTitle" }

    func values(_ text: PageText) -> [String: Any?] {
        let form = PageForm(
            action: WebPath.forgottenPassword,
            button: "sendLinkButton",
            fields: [FormField(kind: .usernameOrEmail)]
        )
        return [
            "isSent": isSent, "form": isSent ? nil : form.refused(refused).values(text),
            "signInPath": WebPath.signIn, "forgottenPath": WebPath.forgottenPassword,
        ]
    }
}
