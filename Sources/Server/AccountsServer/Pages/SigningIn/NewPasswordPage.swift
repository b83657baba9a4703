/// The page that the email about a forgotten password links to.
struct NewPasswordPage: Page {
    static let template = PageTemplate.newPassword

    /// The token of the emailed link.
    let token: String
    var refused: (error: ServerError, posted: PostedForm)?

    var refusal: ServerError? { refused?.error }

    func title(_ text: PageText) -> String {
        text.title("newPasswordTitle", isRefused: refused != nil)
    }

    func values(_ text: PageText) -> [String: Any?] {
        var form = PageForm(
            action: WebPath.resetPassword,
            button: "savePasswordButton",
            fields: [FormField(kind: .newPassword, note: "newPasswordNote")]
        )
        form.hidden = [("token", token)]
        return [
            "form": (refused.map { form.refused($0.error, $0.posted) } ?? form).values(text)
        ]
    }
}
