import AppleIdentity
import Foundation

/// An account, as returned by `GET /api/account`.
public struct AccountProfile: Hashable, Sendable, Codable {
    /// The Apple Account that is linked to an account.
    public struct Apple: Hashable, Sendable, Codable {
        /// The user identifier, which differs for each developer team.
        public var user: UserID
        /// The app or web site with which it was linked.
        public var clientID: ClientID
        /// When it was linked.
        public var linkedAt: Date
        /// When the user stopped using Sign in with Apple for the app; nil otherwise.
        public var revokedAt: Date?

        /// Creates a link with the given values.
        ///
        /// - Parameters:
        ///   - user: the user identifier, which differs for each developer team.
        ///   - clientID: the app or web site with which it was linked.
        ///   - linkedAt: when it was linked.
        ///   - revokedAt: when the user stopped using Sign in with Apple for the app.
        public init(user: UserID, clientID: ClientID, linkedAt: Date, revokedAt: Date? = nil) {
            self.user = user
            self.clientID = clientID
            self.linkedAt = linkedAt
            self.revokedAt = revokedAt
        }
    }

    /// The account's identifier.
    public var id: String
    /// The name in one line, if the server knows one.
    public var name: String?
    /// The given name, if the server knows the parts of the name.
    public var givenName: String?
    /// The family name, if the server knows the parts of the name.
    public var familyName: String?
    /// The email address, if the server knows one.
    public var email: String?
    /// A new email address that the user has not confirmed yet.
    public var pendingEmail: String?
    /// Whether the email address is verified.
    public var emailIsVerified: Bool
    /// Whether the email address is a private relay address.
    public var emailIsPrivateRelay: Bool
    /// Whether mail to the email address is expected to arrive.
    public var emailDeliverable: Bool
    /// The username of the sign-in method with a password, if there is one.
    public var username: String?
    /// The Apple identity that opens the account, if there is one.
    public var apple: Apple?
    /// Whether the app stays in the user's Apple Account after the account is deleted.
    ///
    /// The server then has no token to revoke, and the user must stop using the app in the Apple Account's settings.
    public var appleLinkRemains: Bool {
        get { linkRemains ?? false }
        set { linkRemains = newValue ? true : nil }
    }
    /// Nil in records written before the server returned the value.
    private var linkRemains: Bool?
    /// When the account was created.
    public var createdAt: Date

    /// Creates a profile with the given values.
    ///
    /// - Parameters:
    ///   - id: the account's identifier.
    ///   - name: the name in one line, if known.
    ///   - givenName: the given name, if the parts of the name are known.
    ///   - familyName: the family name, if the parts of the name are known.
    ///   - email: the email address, if known.
    ///   - pendingEmail: a new email address that the user has not confirmed yet.
    ///   - emailIsVerified: whether the email address is verified.
    ///   - emailIsPrivateRelay: whether the email address is a private relay address.
    ///   - emailDeliverable: whether mail to the email address is expected to arrive.
    ///   - username: the username of the sign-in method with a password.
    ///   - apple: the Apple identity that opens the account.
    ///   - appleLinkRemains: whether the app stays in the user's Apple Account after the account is deleted.
    ///   - createdAt: when the account was created.
    public init(
        id: String,
        name: String? = nil,
        givenName: String? = nil,
        familyName: String? = nil,
        email: String? = nil,
        pendingEmail: String? = nil,
        emailIsVerified: Bool = false,
        emailIsPrivateRelay: Bool = false,
        emailDeliverable: Bool = false,
        username: String? = nil,
        apple: Apple? = nil,
        appleLinkRemains: Bool = false,
        createdAt: Date
    ) {
        self.id = id
        self.name = name
        self.givenName = givenName
        self.familyName = familyName
        self.email = email
        self.pendingEmail = pendingEmail
        self.emailIsVerified = emailIsVerified
        self.emailIsPrivateRelay = emailIsPrivateRelay
        self.emailDeliverable = emailDeliverable
        self.username = username
        self.apple = apple
        linkRemains = appleLinkRemains ? true : nil
        self.createdAt = createdAt
    }
}

extension AccountProfile {
    /// The name for display.
    ///
    /// On Apple platforms it is formatted by `PersonNameComponentsFormatter`.
    public var displayName: String? {
        #if canImport(Darwin)
            guard givenName != nil || familyName != nil else { return name }
            let components = PersonNameComponents(givenName: givenName, familyName: familyName)
            return PersonNameComponentsFormatter.localizedString(from: components, style: .default)
        #else
            return name
        #endif
    }

    /// Reads the server's document, and ignores unknown members.
    init(_ fields: JSONFields) throws(JSONFieldError) {
        self.init(
            id: try fields.text("id"),
            name: try fields.optionalText("name"),
            givenName: try fields.optionalText("givenName"),
            familyName: try fields.optionalText("familyName"),
            email: try fields.optionalText("email"),
            pendingEmail: try fields.optionalText("pendingEmail"),
            emailIsVerified: try fields.optionalBoolean("emailIsVerified") ?? false,
            emailIsPrivateRelay: try fields.optionalBoolean("emailIsPrivateRelay") ?? false,
            emailDeliverable: try fields.optionalBoolean("emailDeliverable") ?? false,
            username: try fields.optionalText("username"),
            apple: try fields.optionalFields("apple").map(Apple.init),
            appleLinkRemains: try fields.optionalBoolean("appleLinkRemains") ?? false,
            createdAt: try fields.date("createdAt")
        )
    }
}

extension AccountProfile.Apple {
    init(_ fields: JSONFields) throws(JSONFieldError) {
        self.init(
            user: UserID(try fields.text("user")),
            clientID: ClientID(try fields.text("clientId")),
            linkedAt: try fields.date("linkedAt"),
            revokedAt: try fields.optionalDate("revokedAt")
        )
    }
}

extension JSONFields {
    /// A time in ISO 8601.
    func date(_ name: String) throws(JSONFieldError) -> Date {
        try require(name, optionalDate(name))
    }

    /// A time in ISO 8601; nil if it is missing.
    func optionalDate(_ name: String) throws(JSONFieldError) -> Date? {
        try optional(name, "a time in ISO 8601") { value in
            value.stringValue.flatMap { try? Date($0, strategy: .iso8601) }
        }
    }
}
