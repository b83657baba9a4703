import Accounts
import SignInWithApple

/// The page on which a signed-in user reauthenticates.
struct ConfirmationPage: FormPage {
    static let template = PageTemplate.confirmation

    let proof: FreshProof
    var refused: RefusedForm?

    var titleWord: String { "confirmationTitle" }

    func values(_ text: PageText) -> [String: Any?] {
        proof.values(text, refused)
    }
}

/// The methods with which a signed-in user can sign in again.
struct FreshProof {
    let account: Account
    let offer: SignInOffer
    /// The path of the page that follows.
    let returnPath: String

    /// Returns the values of the template.
    func values(
        _ text: PageText,
        _ refused: RefusedForm? = nil
    ) -> [String: Any?] {
        let hasApple = account.apple != nil && offer.hasAppleButton
        let form = account.username.map { passwordForm($0).refused(refused).values(text) }
        return [
            "appleButton": hasApple ? WebPath.confirmApple(returningTo: returnPath) : nil,
            "isOutlined": true,
            "form": form,
            "hasBoth": hasApple && form != nil,
            "hasNone": !hasApple && form == nil,
        ]
    }

    private func passwordForm(_ username: String) -> PageForm {
        var form = PageForm(
            action: WebPath.signInPassword,
            button: "confirmButton",
            fields: [
                FormField(kind: .username, value: username, isFixed: true),
                FormField(kind: .password),
            ]
        )
        form.hidden = [(ReturnPath.parameter, returnPath)]
        return form
    }
}
