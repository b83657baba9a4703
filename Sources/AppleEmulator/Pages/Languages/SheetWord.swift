/// A text of the sheet; each language has a table with all of them.
///
/// `{app}`, `{email}`, `{host}`, `{origin}`, `{password}` and `{count}` stand for values.
enum SheetWord: String, CaseIterable {
    /// What every page says above.
    case banner
    /// What a title begins with when something was wrong.
    case errorTitle
    case continueButton
    case cancelButton
    case otherAccountButton
    case signInHeading
    case signInLead
    case emailAddress
    case password
    case signInButton
    /// What an aside of the emulator is called.
    case hintLabel
    case peopleHeading
    case passwordHint
    case chooserHeading
    case chooserLead
    case signOutButton
    case twoFactorTitle
    case twoFactorHeading
    case twoFactorLead
    case deviceHeading
    case sixDigits
    case consentTitle
    case consentHeading
    case consentLead
    case asksNothing
    case privacyHeading
    /// Shown with the first app of an account.
    case privacyText
    case name
    case givenName
    case familyName
    case undoNameButton
    case email
    case shareEmail
    case sharedAddress
    case hideEmail
    case hideEmailText
    case managedText
    case lacksEmailText
    case unverifiedText
    case returningTitle
    case returningHeading
    case returningLead
    case formPostHeading
    case formPostLead
    case webMessageLead
    /// Shown where scripts are switched off.
    case webMessageNeedsScript
    case failureHeading
    case hintHeading
    case wrongPassword
    case wrongDigits
    case stepNotPossible
    case nameTooLong
    case consentUnanswered
    case emailChoiceWrong
    case signInOver
    case otherSite
    case otherBrowser
    case tooManyAttempts
}
