/// The page on which a user requests an email to reset a forgotten password.
struct ForgottenPasswordPage: Page {
    static let template = PageTemplate.forgottenPassword

    /// Whether the form was sent; the page never reveals whether the account exists.
    var isSent = false
    var refused: (error: ServerError, posted: PostedForm)?

    var refusal: ServerError? { refused?.error }

    func title(_ text: PageText) -> String {
        text.title(isSent ? "mailSentTitle" : "forgottenTitle", isRefused: refused != nil)
    }

    func values(_ text: PageText) -> [String: Any?] {
        let form = PageForm(
            action: WebPath.forgottenPassword,
            button: "sendLinkButton",
            fields: [FormField(kind: .usernameOrEmail)]
        )
        let shown = refused.map { form.refused($0.error, $0.posted) } ?? form
        return [
            "isSent": isSent, "form": isSent ? nil : shown.values(text),
            "signInPath": WebPath.signIn, "forgottenPath": WebPath.forgottenPassword,
        ]
    }
}
