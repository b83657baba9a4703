import AccountsServer
import HTTPTypes
import HummingbirdTesting
import Testing

/// A user who signs in with a password.
enum PasswordPerson {
    static let username = "maya"
    static let password = "seven ripe oranges"

    /// The fields that give an account of Apple's its first password.
    static let firstPassword = [("username", username), ("new_password", password)]

    /// The fields that create the account.
    static let fields = [("username", username), ("password", password), ("name", "Maya")]
}

extension TestBrowser {
    /// Creates an account with a password on its page.
    func createAccount(_ fields: [(String, String)] = PasswordPerson.fields) async throws {
        let answer = try await post("/create-account", fields)
        try #require(answer.status == .seeOther, "\(answer.text)")
    }

    func signIn(
        username: String = PasswordPerson.username,
        password: String,
        returningTo path: String? = nil
    ) async throws -> TestResponse {
        let target = path.map { [("return_to", $0)] } ?? []
        let fields = [("username", username), ("password", password)] + target
        return try await post("/sign-in/password", fields)
    }
}
