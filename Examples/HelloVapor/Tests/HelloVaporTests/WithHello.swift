import AppleEmulatorTesting
import SignInWithAppleVapor
import VaporTesting

@testable import HelloVapor

/// The server, with an emulated Apple in the same process and a database of its own.
struct Hello {
    static let maya = "maya@example.com"
    static let appID = "com.example.juice"

    let app: Application
    let apple: TestApple
    let tokens: AppleTokens<SQLAppleTokenStore>

    var browser: Browser { Browser(app: app) }

    func signedIn() async throws -> Browser {
        var browser = browser
        try await browser.signIn(apple)
        return browser
    }

    func stopUsing() async throws {
        try await apple.emulator.stopUsing(Self.maya, clientID: Self.appID)
    }

    /// Signs an app in with what a device would give it.
    func signInApp(hidesEmail: Bool = false) async throws -> TestingHTTPResponse {
        let credential = try await apple.credentials(hidesEmail: hidesEmail)
        return try await app.testing().sendRequest(.POST, "/auth/apple/native") { request in
            try request.content.encode([
                "identityToken": credential.identityToken,
                "authorizationCode": credential.authorizationCode,
            ])
        }
    }

    /// Delivers what Apple would post.
    func deliverNotifications() async {
        await apple.deliverNotifications(to: notify)
    }

    /// Posts a notification as Apple does, and returns the status.
    func notify(_ body: Data) async throws -> Int {
        let answer = try await app.testing()
            .sendRequest(
                .POST,
                "/auth/apple/notifications",
                headers: ["Content-Type": "application/json"],
                body: ByteBuffer(bytes: body)
            )
        return Int(answer.status.code)
    }

    /// Runs the daily validation.
    func validate() async throws {
        apple.advance(by: .seconds(86_401))
        await tokens.processDue()
    }

    func revocationCount() async -> Int {
        let requests = String(decoding: await apple.requests(), as: UTF8.self)
        return requests.components(separatedBy: "/auth/revoke").count - 1
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
            try await test(Hello(app: app, apple: apple, tokens: appleTokens(app, settings)))
        }
    }
}
