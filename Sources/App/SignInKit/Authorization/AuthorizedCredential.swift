import AppleIdentity

/// The credential that the user chose: an Apple credential or a stored password.
public enum AuthorizedCredential: Hashable, Sendable {
    /// Sign in with Apple.
    case apple(AppleCredential)
    /// A stored password.
    case password(StoredPassword)
}

/// The credential that the system returns after Sign in with Apple.
///
/// Source: [ASAuthorizationAppleIDCredential](https://developer.apple.com/documentation/authenticationservices/asauthorizationappleidcredential)
public struct AppleCredential: Hashable, Sendable, Codable {
    /// The user identifier, which is the team's own.
    public var user: UserID
    /// The identity token, which the server verifies.
    public var identityToken: String
    /// The code, which the server exchanges once within five minutes.
    public var authorizationCode: String?
    /// The name, only the first time.
    public var fullName: PersonName?
    /// The address, only the first time; the identity token has it each time.
    public var email: String?
    /// Apple's estimate whether the user is real: 0 unsupported, 1 unknown, 2 likely real.
    public var realUserStatus: Int
    /// The request's `state`, unchanged.
    public var state: String?
    /// The scopes that the user granted.
    public var authorizedScopes: Set<Scope>

    /// Creates a credential with the given values.
    ///
    /// - Parameters:
    ///   - user: the user identifier.
    ///   - identityToken: the identity token.
    ///   - authorizationCode: the code.
    ///   - fullName: the name, at the first sign-in only. An empty name becomes nil.
    ///   - email: the address, only the first time.
    ///   - realUserStatus: Apple's estimate whether the user is real.
    ///   - state: the request's `state`, unchanged.
    ///   - authorizedScopes: the scopes that the user granted.
    public init(
        user: UserID,
        identityToken: String,
        authorizationCode: String? = nil,
        fullName: PersonName? = nil,
        email: String? = nil,
        realUserStatus: Int = 1,
        state: String? = nil,
        authorizedScopes: Set<Scope> = []
    ) {
        self.user = user
        self.identityToken = identityToken
        self.authorizationCode = authorizationCode
        self.fullName = fullName?.isEmpty == true ? nil : fullName
        self.email = email
        self.realUserStatus = realUserStatus
        self.state = state
        self.authorizedScopes = authorizedScopes
    }
}

extension AppleCredential: CustomStringConvertible, CustomReflectable {
    /// A description with the user identifier only.
    ///
    /// It contains no token and no code.
    public var description: String { "an Apple credential of \(user)" }

    /// Nothing but the user.
    public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
