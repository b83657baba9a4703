/// The page on which a user creates an account with a password.
struct NewAccountPage: Page {
    static let template = PageTemplate.newAccount

    let offer: SignInOffer
    var refused: (error: ServerError, posted: PostedForm)?

    var refusal: ServerError? { refused?.error }

    func title(_ text: PageText) -> String {
        text.title("newAccountTitle", isRefused: refused != nil)
    }

    func values(_ text: PageText) -> [String: Any?] {
        [
            "form": NewAccountForm(offer: offer, refused: refused).form.values(text),
            "signInPath": WebPath.signIn,
        ]
    }
}
