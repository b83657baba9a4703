/// What a person can do on a page of the app.
enum JuiceAction: Hashable, Sendable {
    case signInWithApple, signIn, useStoredPassword, useBrowser, createAccount
    case showCreateAccount, showLogin
    case showResult, showAccount, showName, showSessions, showPassword, showDeletion, showSecureTask
    case rename, endSession(String), endOtherSessions, linkApple, unlinkApple, changePassword
    case confirm, leaveConfirmation
    case deleteAccount, runSecureTask, runSecureTaskFresh, signOut, answerAttention
    case openSettings, quit
}

/// The names of the fields.
enum FieldName {
    static let username = "username"
    static let password = "password"
    static let newPassword = "newPassword"
    static let name = "name"
    static let givenName = "givenName"
    static let familyName = "familyName"
    static let email = "email"
}
