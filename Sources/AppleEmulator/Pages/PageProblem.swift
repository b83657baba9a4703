/// What is wrong with a form of the sheet or the account page; each has a text in every language.
package enum PageProblem: String, CaseIterable, Sendable {
    // Signing in
    case wrongPassword, wrongDigits, tooManyAttempts, signInOver, stepNotPossible
    case otherSite, otherBrowser
    // The consent
    case nameTooLong, consentUnanswered, emailChoiceWrong
    // The account page
    case outOfDate, notUnderstood, unknownApp, noRelayAddress, chooseAddress, understandFirst
}
