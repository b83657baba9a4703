import Foundation

/// The `user` field of the first authorization, which is unsigned and edited by the user.
///
/// Apple sends it only once. Both values are user input: the verified email address is in the
/// token.
/// Source: [Request an authorization](https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server.)
public struct AuthorizationUser: Hashable, Sendable, Encodable {
    /// The name that the user entered.
    public var name: PersonName?
    /// The email address as the browser sent it, not verified.
    public var email: String?

    /// Creates the content of the field.
    public init(name: PersonName?, email: String?) {
        self.name = name
        self.email = email
    }

    private enum CodingKeys: CodingKey { case name, email }
    private enum NameKeys: CodingKey { case firstName, lastName }

    /// Reads `{"email":…,"name":{"firstName":…,"lastName":…}}`, each part optional.
    package init(parsing text: String) throws {
        let user = JSONFields(try JSONObject(parsing: Data(text.utf8)))
        email = try user.optionalText("email")
        let parts = try user.optionalFields("name")
        let whole = PersonName(
            givenName: try parts?.optionalText("firstName"),
            familyName: try parts?.optionalText("lastName")
        )
        name = whole.isEmpty ? nil : whole
    }

    /// Encodes the field with Apple's names.
    public func encode(to encoder: any Encoder) throws {
        var user = encoder.container(keyedBy: CodingKeys.self)
        try user.encodeIfPresent(email, forKey: .email)
        guard let name else { return }
        var parts = user.nestedContainer(keyedBy: NameKeys.self, forKey: .name)
        try parts.encodeIfPresent(name.givenName, forKey: .firstName)
        try parts.encodeIfPresent(name.familyName, forKey: .lastName)
    }
}
