import AppleIdentity

/// What a device hands to an app.
public struct TestCredential: Hashable, Sendable {
    /// The person, as the team knows them.
    public let user: UserID
    /// The identity token.
    public let identityToken: String
    /// The code.
    public let authorizationCode: String
    /// The address, only the first time.
    public let email: String?
    /// The name, only the first time.
    public let fullName: PersonName?
    /// Apple's guess whether the person is real.
    public let realUserStatus: RealUserStatus?

    init(_ object: JSONObject) throws {
        guard let user = object["user"]?.stringValue,
            let identityToken = object["identity_token"]?.stringValue,
            let authorizationCode = object["authorization_code"]?.stringValue
        else { throw TestAppleError("the credential is not whole") }
        self.user = UserID(user)
        self.identityToken = identityToken
        self.authorizationCode = authorizationCode
        email = object["email"]?.stringValue
        fullName = object["full_name"]?.objectValue.map {
            PersonName(
                givenName: $0["given_name"]?.stringValue,
                familyName: $0["family_name"]?.stringValue
            )
        }
        realUserStatus = object["real_user_status"]?.integerValue.map {
            RealUserStatus(rawValue: $0)
        }
    }
}
