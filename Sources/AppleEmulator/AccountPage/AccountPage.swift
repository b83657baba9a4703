/// One page of the Apple Account's settings: what it shows, not how.
enum AccountPage {
    /// Asks for address and password.
    case signIn(attempt: String, email: String, knownEmails: [String])
    /// Asks for the six digits of a trusted device.
    case twoFactor(attempt: String, email: String, digits: String)
    /// Who is signed in, and the apps that use the account.
    case overview(Person, apps: [AccountApp])
    /// What one group of apps knows.
    case app(AccountApp, of: Person)
    /// Asks whether to stop using a group of apps.
    case stopUsing(AccountApp)
    /// Asks whether to delete the account.
    case delete(Person, apps: [AccountApp])
    /// Says why something is not done.
    case failure(AccountRefusal)
}
