import AppleEmulator
import AppleEmulatorServer
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import ServerTestSupport
import SignInWithApple
import Testing

/// An emulated Apple on its two ports, reached as a server reaches the real one: over a socket.
struct ServedApple: Sendable {
    private static let transport = AppleTransport.live()

    /// The same Apple from inside, for its clock and its keys.
    let inside: TestApple
    private let addresses: EmulatorAddresses

    init(inside: TestApple, addresses: EmulatorAddresses) {
        self.inside = inside
        self.addresses = addresses
    }

    /// Its clock, which is also that of the library connected to it.
    var time: ManualTime { inside.time }

    var url: URL { addresses.apple }

    /// The library with its live transport, and nothing replaced but Apple's address and the time.
    func signIn(clientIDs: [ClientID]? = nil, teamID: TeamID? = nil) throws -> AppleSignIn {
        var configuration = try inside.signInConfiguration(clientIDs: clientIDs, teamID: teamID)
        configuration.service.url = addresses.apple
        configuration.service.browserURL = addresses.apple
        return AppleSignIn(
            configuration: configuration,
            transport: .live(),
            time: inside.time.source
        )
    }

    /// The requested paths, oldest first.
    func askedPaths() async -> [String] {
        await inside.emulator.requests().compactMap { $0["path"]?.stringValue }
    }

    /// Sends a request to the control API, and expects success.
    @discardableResult
    func control(_ path: String, _ object: JSONObject) async throws -> JSONObject {
        let url = addresses.control.appending(path: path)
        let response = try await Self.send(.post, url, object.data)
        try #require(
            response.head.status.kind == .successful,
            "\(String(decoding: response.body, as: UTF8.self))"
        )
        return (try? JSONValue(parsing: response.body))?.objectValue ?? JSONObject()
    }

    /// What a device returns to the app after the user agreed.
    func credentials(
        for email: String = "maya@example.com",
        nonce: String? = nil,
        hidesEmail: Bool = false
    ) async throws -> JSONObject {
        var request: JSONObject = [
            "client_id": "com.example.juice", "scopes": ["name", "email"],
            "email": hidesEmail ? "hide" : "share",
        ]
        request["nonce"] = nonce.map { .string($0) }
        return try await control("people/\(email)/credentials", request)
    }

    /// Opens Apple's page as a browser does, the person's decision given beforehand, and returns
    /// the form that the page posts.
    func open(_ page: URL, deciding decision: JSONObject) async throws -> TestCallback {
        try await control("authorizations/next", decision)
        let body = try await Self.send(.get, page, Data()).body
        let form = /<input type="hidden" name="([^"]*)" value="([^"]*)"/
        let fields = String(decoding: body, as: UTF8.self).matches(of: form).map { match in
            TestCallback.Field(
                name: String(match.output.1),
                value: Self.unescaped(String(match.output.2))
            )
        }
        return try #require(TestCallback(fields: fields))
    }

    private static func unescaped(_ text: String) -> String {
        [("&quot;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
            .reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    /// Sends a request without following a redirect.
    static func send(
        _ method: HTTPRequest.Method,
        _ url: URL,
        _ body: Data,
        contentType: String = "application/json"
    ) async throws -> AppleTransport.Response {
        let components = try #require(URLComponents(url: url, resolvingAgainstBaseURL: true))
        let port = components.port.map { ":\($0)" } ?? ""
        let query = components.percentEncodedQuery.map { "?" + $0 } ?? ""
        var request = HTTPRequest(
            method: method,
            scheme: components.scheme,
            authority: (components.percentEncodedHost ?? "") + port,
            path: components.percentEncodedPath + query
        )
        if !body.isEmpty { request.headerFields[.contentType] = contentType }
        return try await transport.send(request, body: body)
    }
}

/// Runs a test with an emulator on free ports, which has stopped when this returns.
///
/// Its clock shows the real time, like the `Date` fields of its responses, and then stands still.
func withServedApple(
    seed: Seed = .demo(),
    configuration: EmulatorConfiguration = EmulatorConfiguration(),
    _ body: (ServedApple) async throws -> Void
) async throws {
    try await withAppleEmulator(seed: seed, configuration: configuration) { apple in
        apple.time.set(now: TimeSource.live.now)
        try await withEmulatorService(apple.emulator, time: apple.time.source) { addresses in
            try await body(ServedApple(inside: apple, addresses: addresses))
        }
    }
}
