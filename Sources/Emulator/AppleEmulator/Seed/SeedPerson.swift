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
        organizationID: String? = nil
    ) {
        self.email = email
        self.givenName = givenName
        self.familyName = familyName
        self.password = password
        self.hasTwoFactor = hasTwoFactor
        self.isManaged = isManaged
        self.otherEmails = otherEmails
        self.isEmailVerified = isEmailVerified
        self.hasEmail = hasEmail
        self.organizationID = organizationID
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
