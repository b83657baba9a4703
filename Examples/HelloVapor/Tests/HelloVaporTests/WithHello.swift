import AppleEmulatorTesting
import SignInWithApple
import VaporTesting

@testable import HelloVapor

/// The server, with an emulated Apple in the same process and a database of its own.
struct Hello {
    let app: Application
    let apple: TestApple
    let jobs: AppleJobs

    var browser: Browser { Browser(app: app) }

    /// Signs an app in with what a device would give it.
    func signInApp() async throws -> TestingHTTPResponse {
        let credential = try await apple.credentials()
        return try await app.testing().sendRequest(.POST, "/auth/apple/native") { request in
            try request.content.encode([
                "identityToken": credential.identityToken,
                "authorizationCode": credential.authorizationCode,
            ])
        }
    }

    /// Delivers what Apple would post, and asks for 200.
    func deliverNotifications() async {
        await apple.deliverNotifications { body in
            let answer = try await app.testing()
                .sendRequest(
                    .POST,
                    "/auth/apple/notifications",
                    headers: ["Content-Type": "application/json"],
                    body: ByteBuffer(bytes: body)
                )
            return Int(answer.status.code)
        }
    }
}

func withHello(_ test: (Hello) async throws -> Void) async throws {
    let publicURL = "https://juice.example.com"
    let database = FileManager.default.temporaryDirectory
        .appending(path: "hello-\(UUID().uuidString).sqlite").path
    defer { try? FileManager.default.removeItem(atPath: database) }
    let seed = Seed.demo(redirectURIs: [publicURL + "/auth/apple/callback"])
    try await withAppleEmulator(seed: seed) { apple in
        let settings = Settings(
            apple: try apple.signIn(),
            sealer: try TokenSealer(keys: TokenSealer.makeKey(identifier: "test")),
            publicURL: publicURL,
            database: database
        )
        try await withApp { app in
            let package = URL(filePath: #filePath).appending(path: "../../..").standardized
            app.directory = DirectoryConfiguration(workingDirectory: package.path)
            try await configure(app, settings)
            try await test(Hello(app: app, apple: apple, jobs: AppleJobs(settings: settings)))
        }
    }
}
