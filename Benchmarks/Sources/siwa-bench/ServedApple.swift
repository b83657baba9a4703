import Foundation

/// Apple for servers in other processes: its tokens from here, its keys from an address.
struct ServedApple: Sendable {
    let apple: BenchApple
    /// Where the keys are.
    let keysURL: URL

    init(_ apple: BenchApple) async throws {
        self.apple = apple
        keysURL = try await BenchServer.keys(of: apple)
    }

    /// The accounts server on the database of a folder, in a process of its own.
    func accountsServer(
        folder: URL,
        environment: [String: String] = [:]
    ) throws -> ServerProcess {
        try ServerProcess(.accounts(folder: folder, keys: keysURL), environment: environment)
    }

    /// The accounts server on a PostgreSQL database, in a process of its own.
    func accountsServer(database: String) throws -> ServerProcess {
        try accountsServer(
            folder: BenchFolder.make(),
            environment: [BenchServer.databaseVariable: database]
        )
    }

    /// Identity tokens of people.
    ///
    /// - Parameter people: their numbers.
    /// - Returns: as many tokens, signed on all cores.
    /// - Throws: what the cryptographic library throws when it can't sign.
    func tokens(_ people: Range<Int>) async throws -> [String] {
        try await withThrowingTaskGroup { group in
            for person in people { group.addTask { try apple.token(person: person) } }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
    }

    /// The bodies of their sign-ins.
    func signIns(_ people: Range<Int>) async throws -> [Data] {
        try await tokens(people).map { NativeSignInRequest.body(identityToken: $0) }
    }

    /// Signs a person in.
    ///
    /// - Returns: the session's token.
    func signIn(person: Int, at server: ServerProcess) async throws -> String {
        try await NativeSignInRequest(
            server: server.url,
            identityToken: try apple.token(person: person)
        ).send()
    }
}
