import AppleIdentity

extension EmulatorState {
    /// The person changes the account's password: browsers are signed out, refresh tokens end.
    ///
    /// Source: [Verifying a user](https://developer.apple.com/documentation/signinwithapplerestapi/verifying-a-user)
    /// for the tokens; nobody knows what else ends, and how soon.
    mutating func changePassword(
        of email: String,
        _ object: JSONObject
    ) throws(ControlRefusal) {
        let fields = try FieldReader(object, known: ["password", "keep_tokens"])
        let password = try fields.text("password")
        let keepsTokens = try fields.boolean("keep_tokens", default: false)
        let person = try people.require(email)
        _ = people.update(person.id) { $0.account.password = password }
        authorizations.signOut(person.id)
        if !keepsTokens { grants.endRefreshTokens(of: person.id) }
    }
}
