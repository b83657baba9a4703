/// One page of the sheet that stands for Apple's: what it shows, not how.
package enum SheetPage: Sendable {
    /// Asks who of those signed in to the browser it shall be.
    case chooser(ChooserPage)
    /// Asks for the account's e-mail address and password.
    case signIn(SignInPage)
    /// Asks for the six digits of a trusted device.
    case twoFactor(TwoFactorPage)
    /// Asks for consent the first time a person meets an app.
    case consent(ConsentPage)
    /// The short sheet for a person who has used the app before.
    case returning(ReturningPage)
    /// Carries the answer to the app by a form that posts itself.
    case formPost(FormPostPage)
    /// Hands the answer to the page that opened the popup.
    case webMessage(WebMessagePage)
    /// Says why there is no sheet.
    case failure(FailurePage)
}
