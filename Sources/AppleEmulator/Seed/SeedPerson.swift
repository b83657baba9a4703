import AppleIdentity

/// A person with an Apple Account.
public struct SeedPerson: Hashable, Sendable {
    /// The password of people who are given none.
    public static let standardPassword = "apple"

    /// The account's address.
    public var email: String
    /// The given name, prefilled on the consent sheet.
    public var givenName: String?
    /// The family name, prefilled on the consent sheet.
    public var familyName: String?
    /// The account's password.
    public var password: String
    /// Whether signing in on the web asks for six digits too.
    public var hasTwoFactor: Bool
    /// Whether an organization manages the account.
    public var isManaged: Bool
    /// Other addresses of the account, good for signing in.
    public var otherEmails: [String]

    /// Makes a person.
    public init(
        email: String,
        givenName: String? = nil,
        familyName: String? = nil,
        password: String = SeedPerson.standardPassword,
        hasTwoFactor: Bool = true,
        isManaged: Bool = false,
        otherEmails: [String] = []
    ) {
        self.email = email
        self.givenName = givenName
        self.familyName = familyName
        self.password = password
        self.hasTwoFactor = hasTwoFactor
        self.isManaged = isManaged
        self.otherEmails = otherEmails
    }
}

extension SeedPerson {
    init(_ object: JSONObject) throws(ControlRefusal) {
        let fields = try FieldReader(
            object,
            known: [
                "email", "given_name", "family_name", "password", "two_factor", "managed",
                "other_emails",
            ]
        )
        self.init(
            email: try fields.text("email"),
            givenName: try fields.optionalText("given_name"),
            familyName: try fields.optionalText("family_name"),
            password: try fields.optionalText("password") ?? Self.standardPassword,
            hasTwoFactor: try fields.boolean("two_factor", default: true),
            isManaged: try fields.boolean("managed", default: false),
            otherEmails: try fields.texts("other_emails")
        )
        try Self.check(email, field: "email")
        for other in otherEmails { try Self.check(other, field: "other_emails") }
    }

    private static func check(_ email: String, field: String) throws(ControlRefusal) {
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        // RFC 5321, section 4.5.3.1.3: a path has at most 256 octets, two of them brackets.
        // https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1.3
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), email.utf8.count <= 254,
            !email.contains(where: { $0.isWhitespace || $0 == "<" || $0 == ">" || $0 == "/" })
        else { throw .wrong(field, "must be an e-mail address") }
    }

    /// The person without the password.
    var object: JSONObject {
        var object: JSONObject = ["email": .string(email)]
        object["given_name"] = givenName.map { .string($0) }
        object["family_name"] = familyName.map { .string($0) }
        object["two_factor"] = .boolean(hasTwoFactor)
        object["managed"] = .boolean(isManaged)
        object["other_emails"] = .array(otherEmails.map { .string($0) })
        return object
    }
}
