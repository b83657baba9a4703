import AppleIdentity

/// The credential that an app receives on a device.
public struct TestCredential: Hashable, Sendable {
    /// The user's identifier for the app's team.
    public let user: UserID
    /// The signed identity token, a JWT.
    public let identityToken: String
    /// The authorization code, valid once, for five minutes.
    public let authorizationCode: String
    /// The email address, at the first authorization only.
    public let email: String?
    /// The name, at the first authorization only.
    public let fullName: PersonName?
    /// Apple's estimate of whether the user is a real person.
    public let realUserStatus: RealUserStatus?

    init(_ object: JSONObject) throws {
        guard let user = object["user"]?.stringValue,
            let identityToken = object["identity_token"]?.stringValue,
            let authorizationCode = object["authorization_code"]?.stringValue
        else { throw TestAppleError("the credential is incomplete") }
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
