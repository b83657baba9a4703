/// The values of a new account with a password.
package struct PasswordRegistration: Sendable {
    /// The username, which may be an email address.
    package var username: String
    /// The password as the user typed it.
    package var password: String
    /// The display name.
    package var name: String?
    /// The email address; nil to use the username if it is one.
    package var email: String?
    package var client: ClientDescription

    package init(
        username: String,
        password: String,
        name: String? = nil,
        email: String? = nil,
        client: ClientDescription = ClientDescription()
    ) {
        self.username = username
        self.password = password
        self.name = name
        self.email = email
        self.client = client
    }
}
