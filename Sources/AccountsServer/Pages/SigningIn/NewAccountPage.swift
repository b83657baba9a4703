/// The page on which a person makes an account with a password.
struct NewAccountPage: Page {
    static let template = PageTemplate.newAccount

    let offer: SignInOffer
    var refused: (error: ServerError, posted: PostedForm)?

    var refusal: ServerError? { refused?.error }

    func title(_ text: PageText) -> String {
        text.title("newAccountTitle", isRefused: refused != nil)
    }

    func values(_ text: PageText) -> [String: Any?] {
        ["form": form.values(text), "signInPath": WebPath.signIn]
    }

    private var form: PageForm {
        let name = FormField(kind: .name, isRequired: false)
        let username = FormField(kind: .username, note: "usernameNote")
        let email = FormField(kind: .email, isRequired: false, note: "emailNote")
        let password = FormField(kind: .firstPassword, note: "newPasswordNote")
        let form = PageForm(
            action: WebPath.newAccount,
            button: "newAccountButton",
            fields: [name, username] + (offer.hasMail ? [email] : []) + [password]
        )
        return refused.map { form.refused($0.error, $0.posted) } ?? form
    }
}
