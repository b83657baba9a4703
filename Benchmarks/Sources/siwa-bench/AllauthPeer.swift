import Foundation

/// django-allauth's headless token login under gunicorn with two workers, for comparison with the accounts server.
final class AllauthPeer: Sendable {
    /// The URL to which an app posts its identity token.
    let url: URL
    private let server: Process

    /// Starts it on a new database.
    ///
    /// - Parameters:
    ///   - keysURL: the URL of Apple's keys, which it fetches at each sign-in.
    ///   - folder: the folder of its database.
    /// - Returns: the server; nil when no Python with its libraries is configured.
    /// - Throws: ``BenchError`` when it does not start.
    static func start(keysURL: URL, folder: URL) async throws -> AllauthPeer? {
        guard let python = PythonPeers.python else { return nil }
        let port = try await BenchServer.freePort()
        let environment = ProcessInfo.processInfo.environment.merging([
            "DATABASE": folder.appending(path: "allauth.sqlite").path,
            "KEYS_URL": keysURL.absoluteString, "AUDIENCE": BenchApple.clientID,
            // Both workers must read each other's session tokens.
            "SECRET_KEY": UUID().uuidString,
        ]) { $1 }
        let migration = process(python, [script.path, "migrate", "--verbosity", "0"], environment)
        try migration.run()
        migration.waitUntilExit()
        let server = process(
            python,
            [script.path, "serve", "127.0.0.1:\(port)"],
            environment
        )
        try server.run()
        guard let base = URL(string: "http://127.0.0.1:\(port)") else { return nil }
        for _ in 0..<200 {
            if await BenchServer.answers(base.absoluteString + "/_allauth/app/v1/config") {
                return AllauthPeer(base, server)
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        server.terminate()
        throw BenchError("django-allauth did not start")
    }

    private init(_ base: URL, _ server: Process) {
        url = base.appending(path: "_allauth/app/v1/auth/provider/token")
        self.server = server
    }

    deinit { server.terminate() }

    /// The request body of an app.
    static func body(identityToken: String) -> Data {
        let text = """
            {"provider":"apple","process":"login","token":\
            {"client_id":"\(BenchApple.clientID)","id_token":"\(identityToken)"}}
            """
        return Data(text.utf8)
    }

    private static var script: URL {
        URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Python/allauth_peer.py").standardizedFileURL
    }

    private static func process(
        _ python: URL,
        _ arguments: [String],
        _ environment: [String: String]
    ) -> Process {
        let process = Process()
        process.executableURL = python
        process.arguments = arguments
        process.currentDirectoryURL = script.deletingLastPathComponent()
        process.environment = environment
        return process
    }
}
