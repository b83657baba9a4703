/// The `user` field of the first authorization: unsigned, edited by the person, told only once.
///
/// The name is a suggestion. The address must never be trusted; the identity token has the real one.
/// Source: [Request an authorization](https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server.)
public struct AuthorizationUser: Hashable, Sendable, Codable {
    /// The name as the person typed it.
    public var name: PersonName?
    /// The address as the browser sent it, not verified.
    public var email: String?

    /// Makes the field's content.
    public init(name: PersonName?, email: String?) {
        self.name = name
        self.email = email
    }

    private enum CodingKeys: CodingKey { case name, email }
    private enum NameKeys: CodingKey { case firstName, lastName }

    /// Decodes `{"email":…,"name":{"firstName":…,"lastName":…}}`, each part optional.
    public init(from decoder: any Decoder) throws {
        let user = try decoder.container(keyedBy: CodingKeys.self)
        email = try user.decodeIfPresent(String.self, forKey: .email)
        guard user.contains(.name), try !user.decodeNil(forKey: .name) else { return }
        let parts = try user.nestedContainer(keyedBy: NameKeys.self, forKey: .name)
        let whole = PersonName(
            givenName: try parts.decodeIfPresent(String.self, forKey: .firstName),
            familyName: try parts.decodeIfPresent(String.self, forKey: .lastName)
        )
        name = whole.isEmpty ? nil : whole
    }

    /// Encodes the field in Apple's spelling.
    public func encode(to encoder: any Encoder) throws {
        var user = encoder.container(keyedBy: CodingKeys.self)
        try user.encodeIfPresent(email, forKey: .email)
        guard let name else { return }
        var parts = user.nestedContainer(keyedBy: NameKeys.self, forKey: .name)
        try parts.encodeIfPresent(name.givenName, forKey: .firstName)
        try parts.encodeIfPresent(name.familyName, forKey: .lastName)
    }
}
