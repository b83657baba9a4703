import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import SignInWithApple
import TestSupport
import Testing

/// The example's server, an emulated Apple behind it, and a browser in front.
struct HelloWorld: Sendable {
    static let sealingKeys = TokenSealer.makeKey(identifier: "test")
    static let redirectURI = "https://juice.example.com/auth/apple/callback"

    static let lending = Lending<HelloWorld> { body in try await withHelloWorld(body) }

    let apple: TestApple
    let client: any TestClientProtocol

    /// A step in a browser; it sends only the given cookies.
    func get(
        _ path: String,
        cookie: String? = nil,
        fields: [String: String] = [:]
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.accept: "text/html"]
        headers[.cookie] = cookie
        for (name, value) in fields { headers[try #require(HTTPField.Name(name))] = value }
        return try await client.execute(uri: path, method: .get, headers: headers)
    }

    func post(_ form: Data, cookie: String?, accept: String = "text/html") async throws
        -> TestResponse
    {
        var headers: HTTPFields = [
            .accept: accept, .contentType: "application/x-www-form-urlencoded",
        ]
        headers[.cookie] = cookie
        return try await client.execute(
            uri: "/auth/apple/callback",
            method: .post,
            headers: headers,
            body: ByteBuffer(bytes: form)
        )
    }

    /// Presses the button on the page of a failure.
    func postAgain(
        _ fields: [(String, String)],
        cookie: String,
        site: String? = nil,
        origin: String? = nil
    ) async throws -> TestResponse {
        var headers: HTTPFields = [
            .contentType: "application/x-www-form-urlencoded", .cookie: cookie,
        ]
        if let site, let name = HTTPField.Name("Sec-Fetch-Site") { headers[name] = site }
        headers[.origin] = origin
        return try await client.execute(
            uri: "/auth/apple/callback/again",
            method: .post,
            headers: headers,
            body: ByteBuffer(bytes: Self.form(fields))
        )
    }

    static func form(_ fields: [(String, String)]) -> Data {
        let pairs = fields.map { name, value in
            let value = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            return "\(name)=\(value ?? "")"
        }
        return Data(pairs.joined(separator: "&").utf8)
    }

    /// Presses the button and completes Apple's page.
    func callback(
        from path: String = "/auth/apple",
        cookie: String? = nil,
        isContinuing: Bool = true
    ) async throws -> (form: TestCallback, cookie: String) {
        let begun = try await get(path, cookie: cookie)
        #expect(begun.status == .seeOther)
        let address = try #require(begun.headers[.location].flatMap { URL(string: $0) })
        let form = try await apple.authorize(address, isContinuing: isContinuing)
        return (form, try Self.cookie(in: begun))
    }

    /// The body that an app sends with a credential.
    static func request(
        _ credential: TestCredential,
        name: PersonName? = nil,
        nonce: String? = nil
    ) -> JSONObject {
        var request: JSONObject = [
            "identityToken": .string(credential.identityToken),
            "authorizationCode": .string(credential.authorizationCode),
        ]
        if let name {
            var fullName = JSONObject()
            fullName["givenName"] = name.givenName.map { .string($0) }
            fullName["familyName"] = name.familyName.map { .string($0) }
            request["fullName"] = .object(fullName)
        }
        request["nonce"] = nonce.map { .string($0) }
        return request
    }

    func signIn(_ body: JSONObject, cookie: String? = nil) async throws -> TestResponse {
        var headers: HTTPFields = [.contentType: "application/json"]
        headers[.cookie] = cookie
        return try await client.execute(
            uri: "/auth/apple/native",
            method: .post,
            headers: headers,
            body: ByteBuffer(string: JSONValue.object(body).text)
        )
    }

    /// The hidden fields of a page's form, as the browser posts them.
    static func hiddenFields(of page: TestResponse) -> Data {
        let inputs = page.text.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/)
        return form(
            inputs.map {
                let value = String($0.output.2).replacing("&quot;", with: "\"")
                    .replacing("&lt;", with: "<").replacing("&gt;", with: ">")
                    .replacing("&amp;", with: "&")
                return (String($0.output.1), value)
            }
        )
    }

    /// The first cookie of a response, as the browser sends it back.
    static func cookie(in response: TestResponse) throws -> String {
        let field = try #require(response.headers[values: .setCookie].first)
        return String(field.prefix { $0 != ";" })
    }

    /// All cookies that a response sets, as the client sends them back.
    static func cookies(in response: TestResponse) -> String {
        response.headers[values: .setCookie]
            .map { $0.prefix { $0 != ";" } }
            .joined(separator: "; ")
    }
}

/// Two servers with a ledger of the test's own, which can fail.
func withLedger(
    sealingKeys: String? = HelloWorld.sealingKeys,
    _ test: @escaping @Sendable (Ledger, HelloWorld, _ replica: HelloWorld) async throws -> Void
) async throws {
    let seed = Seed.demo(redirectURIs: [HelloWorld.redirectURI])
    try await withAppleEmulator(seed: seed) { apple in
        let ledger = Ledger()
        func server() throws -> some ApplicationProtocol {
            let router = try ledger.router(apple: apple.signIn(), sealingKeys: sealingKeys)
            return Application(router: router)
        }
        let (first, second) = (try server(), try server())
        try await first.test(.router) { client in
            let world = HelloWorld(apple: apple, client: client)
            try await second.test(.router) { client in
                try await test(ledger, world, HelloWorld(apple: apple, client: client))
            }
        }
    }
}

func withHelloWorld(
    at publicURL: String = "https://juice.example.com",
    _ test: @escaping @Sendable (HelloWorld) async throws -> Void
) async throws {
    let seed = Seed.demo(redirectURIs: [publicURL + "/auth/apple/callback"])
    try await withAppleEmulator(seed: seed) { apple in
        let hello = try Hello(
            apple: apple.signIn(),
            sealer: TokenSealer(keys: HelloWorld.sealingKeys),
            store: DemoAppleTokenStore(),
            publicURL: publicURL
        )
        try await Application(router: hello.router).test(.router) { client in
            try await test(HelloWorld(apple: apple, client: client))
        }
    }
}

extension TestResponse {
    var text: String { String(buffer: body) }
    var json: JSONObject? { (try? JSONValue(parsing: Data(text.utf8)))?.objectValue }
}
