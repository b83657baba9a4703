/// The page that asks for consent the first time a person meets an app.
package struct ConsentPage: Sendable {
    /// The authorization this page belongs to.
    package var transaction: String
    /// The name of the app that asks.
    package var appName: String
    /// The address of the account, which sharing would tell the app.
    package var email: String
    /// Whether the app asked for the name.
    package var asksName: Bool
    /// The given name filled in, which the person may change.
    package var givenName: String
    /// The family name filled in, which the person may change.
    package var familyName: String
    /// Whether the app asked for the e-mail address.
    package var asksEmail: Bool
    /// Whether the address may be hidden; managed accounts cannot.
    package var allowsHidingEmail: Bool
    /// Whether hiding the address is chosen at first.
    package var hidesEmail: Bool
    /// The addresses the person may share; with more than one there is a choice.
    package var addresses: [String] = []
    /// The address chosen so far.
    package var chosenAddress: String
    /// Whether an organization manages the account.
    package var isManaged = false
    /// Whether the app asked for an address and the account has none.
    package var lacksEmail = false
    /// Whether nobody vouches for the account's address.
    package var isEmailUnverified = false
    /// Whether the person uses no app with this account so far.
    package var isFirstApp = false
    /// What was wrong with the last answer, as a sentence.
    package var error: String?

    package init(
        transaction: String,
        appName: String,
        email: String,
        asksName: Bool,
        givenName: String = "",
        familyName: String = "",
        asksEmail: Bool,
        allowsHidingEmail: Bool = true,
        hidesEmail: Bool = false,
        error: String? = nil
    ) {
        self.transaction = transaction
        self.appName = appName
        self.email = email
        self.asksName = asksName
        self.givenName = givenName
        self.familyName = familyName
        self.asksEmail = asksEmail
        self.allowsHidingEmail = allowsHidingEmail
        self.hidesEmail = hidesEmail
        chosenAddress = email
        self.error = error
    }
}
