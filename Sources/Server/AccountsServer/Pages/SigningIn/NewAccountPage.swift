/// The page on which a user creates an account with a password.
struct NewAccountPage: Page {
    static let template = PageTemplate.newAccount

    let offer: SignInOffer
    var refused: RefusedForm?

    var refusal: ServerError? { refused?.error }

    var titleWord: String { "newAccountTitle" }

    func values(_ text: PageText) -> [String: Any?] {
        [
            "form": NewAccountForm(offer: offer, refused: refused).form.values(text),
            "signInPath": WebPath.signIn,
        ]
    }
}
