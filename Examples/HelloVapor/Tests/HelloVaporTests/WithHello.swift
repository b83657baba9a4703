import AppleEmulatorTesting
import SignInWithAppleVapor
import Testing
import VaporTesting

@testable import HelloVapor

/// The server, with an emulated Apple in the same process and a database of its own.
struct Hello {
    static let maya = "maya@example.com"
    static let appID: ClientID = "com.example.juice"
    static let url = "https://juice.example.com"

    let app: Application
    let apple: TestApple
    let tokens: AppleTokens<SQLAppleTokenStore>

    func browser() throws -> TestBrowser {
        try TestBrowser(apple, at: Self.url) { request, body in
            let response = try await app.testing()
                .sendRequest(
                    HTTPMethod(rawValue: request.method.rawValue),
                    request.path ?? "/",
                    headers: HTTPHeaders(request.headerFields.map { ($0.name.rawName, $0.value) }),
                    body: ByteBuffer(bytes: body)
                )
            var head = HTTPResponse(status: .init(code: Int(response.status.code)))
            for (name, value) in response.headers {
                guard let name = HTTPField.Name(name) else { continue }
                head.headerFields.append(HTTPField(name: name, value: value))
            }
            return (head, Data(response.body.readableBytesView))
        }
    }

    func signedIn() async throws -> TestBrowser {
        var browser = try browser()
        let page = try await browser.signIn(from: "/auth/apple?return_to=/account")
        #expect(page.url.path() == "/account")
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
        await apple.requests.count { $0.path == "/auth/revoke" }
    }
}

func withHello(_ test: @Sendable (Hello) async throws -> Void) async throws {
    let database = FileManager.default.temporaryDirectory
        .appending(path: "hello-\(UUID().uuidString).sqlite").path
    defer { try? FileManager.default.removeItem(atPath: database) }
    let seed = Seed.demo(redirectURIs: [Hello.url + "/auth/apple/callback"])
    try await withAppleEmulator(seed: seed) { apple in
        let settings = Settings(
            apple: try apple.signIn(),
            sealer: try TokenSealer(keys: TokenSealer.makeKey(identifier: "test")),
            publicURL: Hello.url,
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
