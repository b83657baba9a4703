import AppleIdentity
import OpenAPIDescription

/// A user with an Apple Account.
public struct SeedPerson: Hashable, Sendable {
    /// The default password: `apple`.
    public static let standardPassword = "apple"

    /// The primary email address of the account.
    public var email: String
    /// The given name, prefilled on the consent sheet.
    public var givenName: String?
    /// The family name, prefilled on the consent sheet.
    public var familyName: String?
    /// The account's password.
    public var password: String
    /// Whether the account has two-factor authentication: a six-digit code on the web.
    ///
    /// Without it, Sign in with Apple fails on a device.
    public var hasTwoFactor: Bool
    /// Whether an organization manages the account.
    public var isManaged: Bool
    /// Other email addresses with which the user can sign in.
    public var otherEmails: [String]
    /// Whether the email address is verified; nil means true, except for managed accounts.
    public var isEmailVerified: Bool?
    /// Whether the account has an email address for apps.
    ///
    /// Managed accounts of younger students have none, and `email` is only their sign-in name.
    public var hasEmail: Bool
    /// The organization ID of a managed account; nil generates one for each email domain.
    public var organizationID: String?
    /// The user IDs and relay addresses for teams; others are derived or random.
    public var identities: [SeedIdentity]

    /// Creates a user.
    public init(
        email: String,
        givenName: String? = nil,
        familyName: String? = nil,
        password: String = SeedPerson.standardPassword,
        hasTwoFactor: Bool = true,
        isManaged: Bool = false,
        otherEmails: [String] = [],
        isEmailVerified: Bool? = nil,
        hasEmail: Bool = true,
        organizationID: String? = nil,
        identities: [SeedIdentity] = []
    ) {
        (self.email, self.givenName, self.familyName) = (email, givenName, familyName)
        (self.password, self.hasTwoFactor, self.isManaged) = (password, hasTwoFactor, isManaged)
        (self.otherEmails, self.isEmailVerified, self.hasEmail) = (
            otherEmails, isEmailVerified, hasEmail
        )
        (self.organizationID, self.identities) = (organizationID, identities)
    }
}

extension SeedPerson: SchemaObject {
    /// The fields that can be changed.
    static let changeableNames = [
        "email", "given_name", "family_name", "two_factor", "other_emails", "email_verified",
        "has_email",
    ]

    static let schema = ObjectSchema(
        SeedPerson(email: ""),
        .required("email", \.email, .email),
        .optional("given_name", \.givenName, .text),
        .optional("family_name", \.familyName, .text),
        .usual("password", \.password, .text),
        .usual("two_factor", \.hasTwoFactor, .boolean),
        .usual("managed", \.isManaged, .boolean),
        .usual("other_emails", \.otherEmails, .emails),
        .optional("email_verified", \.isEmailVerified, .boolean),
        .usual("has_email", \.hasEmail, .boolean),
        .optional("organization_id", \.organizationID, .text),
        .usual("teams", \.identities, .list(of: SeedIdentity.schema)) { !$0.isEmpty },
        check: { person throws(ControlRefusal) in try person.check() }
    )

    private func check() throws(ControlRefusal) {
        guard organizationID == nil || isManaged else {
            throw .wrong("organization_id", "is only for managed accounts; add managed: true")
        }
        guard hasEmail || otherEmails.isEmpty else {
            throw .wrong("other_emails", "can't be combined with has_email: false")
        }
    }

    fileprivate static func isAddress(_ email: String) -> Bool {
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
            && email.utf8.count <= MailAddress.maximumByteCount
            && !email.contains { $0.isWhitespace || $0 == "<" || $0 == ">" || $0 == "/" }
    }

    /// Whether `siwa check` created the account; lists for people leave it out.
    static func isOfCheck(_ email: String) -> Bool { email.hasPrefix("siwa-check-") }
    package var isOfCheck: Bool { Self.isOfCheck(email) }

    /// The email addresses that the user may share, the primary one first.
    var addresses: [String] { hasEmail ? [email] + otherEmails : [] }

    func isVerified(_ address: String) -> Bool {
        address == email ? isEmailVerified ?? !isManaged : !isManaged
    }

    func address(_ text: String) -> String? {
        addresses.first { $0.lowercased() == text.lowercased() }
    }

    var answer: JSONObject {
        var shown = self
        shown.isEmailVerified = isVerified(email)
        var object = shown.object
        object["password"] = nil
        return object
    }
}

/// The identity of a user for a team, such as one of recorded traffic.
public struct SeedIdentity: Hashable, Sendable {
    /// The team.
    public var teamID: TeamID
    /// The `sub` of tokens; nil generates one.
    public var userID: UserID?
    /// The relay address, if the user hides the email address; nil generates one.
    public var relayAddress: String?

    /// Creates an identity.
    public init(teamID: TeamID, userID: UserID? = nil, relayAddress: String? = nil) {
        (self.teamID, self.userID, self.relayAddress) = (teamID, userID, relayAddress)
    }
}

extension SeedIdentity: SchemaObject {
    static let schema = ObjectSchema(
        SeedIdentity(teamID: ""),
        .required("team_id", \.teamID, .identifier),
        .optional("user", \.userID, .identifier),
        .optional(
            "relay_email",
            \.relayAddress,
            .email.checked("must be an address of the private relay") { address in
                EmulatorSwitches.RelayDomain.allCases.contains {
                    MailAddress(address)?.domain.lowercased() == $0.rawValue
                }
            }
        )
    )

    /// The identifiers, which no two people may share.
    var names: [String] {
        [userID?.rawValue, relayAddress?.lowercased()].compactMap(\.self)
    }
}

extension ValueForm<String> {
    private static let addressSchema = JSONSchema.text(
        lengths: 1...MailAddress.maximumByteCount,
        pattern: #"^[^@<>/\s\x00-\x1F\x7F-\x9F]+@[^@<>/\s\x00-\x1F\x7F-\x9F]+$"#
    )

    fileprivate static let email = text.checked(
        "must be an email address",
        addressSchema,
        SeedPerson.isAddress
    )
}

extension ValueForm<[String]> {
    fileprivate static let emails = texts.checked(
        "must be email addresses",
        .list(of: ValueForm<String>.email.schema, maximumCount: FieldReader.maximumListCount)
    ) { $0.allSatisfy(SeedPerson.isAddress) }
}
