import Accounts
import AccountsSQLite
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import GRDB
import HTTPTypes
import HummingbirdTesting
import MailTransport
import ServerTestSupport
import SignInWithApple
import Testing

@testable import AccountsServer

/// Runs an accounts server that sends email while the body runs.
func withPasswordServer(
    hasMail: Bool = true,
    wrapping: (AccountStore) -> AccountStore = { $0 },
    _ change: (inout AccountsServerConfiguration) throws -> Void = { _ in },
    _ body: @escaping @Sendable (TestServer) async throws -> Void
) async throws {
    try await withAccountsServer(
        { configuration in
            // No server listens there: emails stay queued, and tests put links into the store.
            let nobody = try SMTPServer("smtp://127.0.0.1:9")
            let sender = try Mailbox("no-reply@juice.example.com")
            configuration.mail = hasMail ? MailSettings(server: nobody, sender: sender) : nil
            try change(&configuration)
        },
        wrapping: wrapping,
        body
    )
}

extension TestServer {
    static let password = "correct horse"

    func get(_ path: String, _ token: String) async throws -> TestResponse {
        try await send(.get, path, .bearer(token))
    }

    func delete(_ path: String, _ token: String) async throws -> TestResponse {
        try await send(.delete, path, .bearer(token))
    }

    func put(_ path: String, _ object: JSONObject, _ token: String) async throws -> TestResponse {
        try await send(.put, path, .json + .bearer(token), body: JSONValue.object(object).text)
    }

    /// Follows the link that proves an email address.
    func prove(by link: String, _ token: String) async throws -> TestResponse {
        try await postJSON("/api/email-verifications/redeem", ["token": .string(link)], token)
    }

    /// Creates an account and returns its session's token.
    func tokenOfNewAccount(_ username: String = "maya") async throws -> String {
        let answer = try await postJSON(
            "/api/accounts",
            ["username": .string(username), "password": .string(Self.password)]
        )
        return try #require(answer.json?["token"]?.stringValue, "\(answer.text)")
    }

    func signIn(_ username: String, _ password: String = TestServer.password) async throws
        -> TestResponse
    {
        try await postJSON(
            "/api/sessions/password",
            ["username": .string(username), "password": .string(password)]
        )
    }

    func account(_ token: String) async throws -> JSONObject {
        try #require(try await get("/api/account", token).json)
    }

    /// Puts the link of an email into the store, as if the email had arrived.
    func addLink(_ purpose: MailToken.Purpose, of account: String, to address: String) async throws
        -> String
    {
        let secret = Data(UUID().uuidString.utf8).base64EncodedString().prefix(43)
        let hash = SecretHash(of: String(secret)).bytes
        let end = Int64(apple.time.now.timeIntervalSince1970 + 60) * 1_000_000
        try await store.queue.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    INSERT INTO mail_tokens (hash, account_id, purpose, address, expires_at)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [hash, account, purpose.rawValue, address, end]
            )
        }
        return String(secret)
    }
}
