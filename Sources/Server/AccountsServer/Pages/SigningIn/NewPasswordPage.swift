/// The page that the email about a forgotten password links to.
struct NewPasswordPage: FormPage {
    static let template = PageTemplate.newPassword

    /// The token of the emailed link.
    let token: String
    var refused: RefusedForm?

    var titleWord: String { "newPasswordTitle" }

    func values(_ text: PageText) -> [String: Any?] {
        var form = PageForm(
            action: WebPath.resetPassword,
            button: "savePasswordButton",
            fields: [FormField(kind: .newPassword, note: "newPasswordNote")]
        )
        form.hidden = [("token", token)]
        return [
            "form": form.refused(refused).values(text)
        ]
    }
}
