import Accounts
import Foundation

@testable import AccountsPostgreSQL

/// A PgBouncer in transaction mode before a server, with four connections to it for each user.
struct TestPooler {
    let cluster: TestCluster
    private let port: Int
    /// The values of `prepared_statements` with which it can be used: it follows them from version 1.21 on.
    let preparations: [String]

    /// The one that most tests share, before the server that they share.
    static let shared = Task { try await TestPooler(TestCluster.shared.value) }

    /// Starts one; it ends with the server's script.
    init(_ cluster: TestCluster) async throws {
        let numbers = try await cluster.command("pooler").compactMap { Int($0) }
        guard numbers.count == 2 else {
            throw TestCluster.Failure(reason: "scripts/test-postgresql did not start PgBouncer")
        }
        self.cluster = cluster
        port = numbers[0]
        preparations = numbers[1] > 0 ? ["off", "on"] : ["off"]
    }

    /// The address of a database; by the name `one` it is `postgres`, with a single connection to the server.
    func url(_ database: String, user: String = "app", _ parameters: String = "") -> String {
        "postgres://\(user)@127.0.0.1:\(port)/\(database)?sslmode=disable\(parameters)"
    }

    /// Makes a user who has an empty schema: a pooler passes on nobody's `search_path`, and the server looks for tables in
    /// the schema of the user's name by itself.
    func makeUser() async throws -> String {
        let name = "test_" + UUID().uuidString.lowercased().replacing("-", with: "")
        try await cluster.administer("CREATE ROLE \(name) LOGIN")
        try await cluster.administer("CREATE SCHEMA AUTHORIZATION \(name)")
        return name
    }

    /// Lends a store of a user's own.
    func withStore(
        _ parameters: String,
        _ body: (AccountStore) async throws -> Void
    ) async throws {
        let user = try await makeUser()
        let store = try await AccountStore(
            PostgreSQLDatabase(
                ConnectionSettings(url: url("postgres", user: user, parameters)).patient,
                time: .patient,
                logger: TestCluster.quiet
            )
        )
        defer { store.postgreSQL.close() }
        try await body(store)
    }
}
