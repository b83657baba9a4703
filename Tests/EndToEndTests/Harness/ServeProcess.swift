import AppleIdentity
import Crypto
import Foundation

/// A running `siwa serve`, which needs Apple only for a sign-in.
struct ServeProcess: Sendable {
    let program: Program
    let server: URL

    /// Runs a server during the body, and stops it afterwards.
    ///
    /// - Parameters:
    ///   - folder: where its database is.
    ///   - environment: additional settings.
    ///   - body: the work.
    /// - Throws: ``HarnessError`` if the server does not start, and the errors of the body.
    static func with(
        _ folder: URL,
        environment: [String: String] = [:],
        _ body: (ServeProcess) async throws -> Void
    ) async throws {
        let program = try start(folder, environment)
        defer { program.end() }
        let ready = try await program.waitForOutput("its address", SiwaProcess.readyLine)
        try await body(ServeProcess(program: program, server: try ready.address("server")))
    }

    /// Starts a server, which may end by itself.
    ///
    /// - Parameters:
    ///   - folder: where its database is.
    ///   - environment: additional settings.
    /// - Returns: the program.
    /// - Throws: ``HarnessError`` if the program is missing.
    static func start(_ folder: URL, _ environment: [String: String] = [:]) throws -> Program {
        try Program(
            Workplace.siwa(),
            arguments: ["serve", "--json", "--port", "0"],
            environment: try settings(in: folder).merging(environment) { $1 },
            folder: folder
        )
    }

    /// The settings with which a server starts.
    static func settings(in folder: URL) throws -> [String: String] {
        let key = folder.appending(path: "AuthKey_ABC123DEFG.p8")
        if !FileManager.default.fileExists(atPath: key.path) {
            try Data(P256.Signing.PrivateKey().pemRepresentation.utf8).write(to: key)
        }
        return [
            "SIWA_TEAM_ID": "DEF123GHIJ", "SIWA_KEY_ID": "ABC123DEFG",
            "SIWA_KEY_FILE": key.path, "SIWA_CLIENT_IDS": "com.example.juice",
            "SIWA_DATABASE_URL": "sqlite:\(folder.path)/siwa.sqlite",
            "SIWA_SEALING_KEYS": "k1:\(Data(repeating: 7, count: 32).base64EncodedString())",
        ]
    }
}
