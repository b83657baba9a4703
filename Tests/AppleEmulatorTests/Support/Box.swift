import AppleEmulator
import AppleIdentity
import Crypto
import Foundation
import HTTPTypes
import SignedTokens

/// An emulated Apple with a known key, spoken to by plain requests.
struct Box {
    static let callback = "https://juice.example.com/sign-in/apple/callback"
    static let web = "com.example.juice.web"
    static let app = "com.example.juice"
    static let team = "JUICETEAM1"
    static let keyID = "JUICEKEY01"

    private static let signingKeys = Task { try await EmulatorSigningKey.make(count: 3) }

    let apple: AppleEmulator
    private(set) var time = ManualTime()
    private(set) var key = P256.Signing.PrivateKey()
    /// The browser that requests come from, unless a test says otherwise.
    let browser = CookieJar()

    init(
        redirectURIs: [String] = [Box.callback],
        configuration: EmulatorConfiguration = EmulatorConfiguration(),
        change: (inout Seed) -> Void = { _ in }
    ) async throws {
        var seed = Seed.demo(
            redirectURIs: redirectURIs,
            publicKeyPEM: key.publicKey.pemRepresentation
        )
        seed.people = seed.people.map {
            var person = $0
            person.hasTwoFactor = false
            return person
        }
        change(&seed)
        apple = try AppleEmulator(
            seed: seed,
            configuration: configuration,
            time: time.source,
            signingKeys: await Self.signingKeys.value
        )
    }

    /// An Apple that goes on where another one was exported, for the same developers.
    init(
        importing state: Data,
        as other: Box,
        seed: Seed = Seed(),
        configuration: EmulatorConfiguration = EmulatorConfiguration()
    ) async throws {
        key = other.key
        time = ManualTime(now: other.time.now)
        apple = try await AppleEmulator(
            importing: state,
            seed: seed,
            configuration: configuration,
            time: time.source
        )
    }

    var now: Int { Int(time.now.timeIntervalSince1970) }

    // MARK: Requests

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        body: String = "",
        headers: HTTPFields = [:],
        scheme: String = "https",
        authority: String = "appleid.apple.com",
        from browser: CookieJar? = nil
    ) async -> Reply {
        var request = HTTPRequest(method: method, scheme: scheme, authority: authority, path: path)
        request.headerFields = headers
        if method == .post, headers[.contentType] == nil {
            request.headerFields[.contentType] = "application/x-www-form-urlencoded"
        }
        let browser = browser ?? self.browser
        if let cookie = browser.cookie {
            request.headerFields.append(HTTPField(name: .cookie, value: cookie))
        }
        let reply = Reply(await apple.respond(to: request, body: Data(body.utf8)))
        browser.keep(reply)
        return reply
    }

    func post(
        _ path: String,
        _ fields: [String: String],
        cookie: String? = nil,
        from browser: CookieJar? = nil
    ) async -> Reply {
        var headers: HTTPFields = [:]
        if let cookie { headers[.cookie] = cookie }
        return await send(.post, path, body: Self.encode(fields), headers: headers, from: browser)
    }

    func authorize(
        _ changes: [String: String?] = [:],
        headers: HTTPFields = [:],
        method: HTTPRequest.Method = .get
    ) async -> Reply {
        var fields = Self.authorizeFields
        for (name, value) in changes { fields[name] = value }
        return await send(method, "/auth/authorize?" + Self.encode(fields), headers: headers)
    }

    static let authorizeFields = [
        "client_id": web, "redirect_uri": callback, "response_type": "code id_token",
        "response_mode": "form_post", "scope": "name email", "state": "s-1", "nonce": "n-1",
    ]

    func decide(_ changes: JSONObject = [:]) async throws {
        var decision: JSONObject = ["person": "maya@example.com", "decision": "continue"]
        for member in changes.members { decision[member.name] = member.value }
        _ = try await apple.decideNext(decision)
    }

    /// Signs Maya in on the web; the form's fields.
    func signInOnTheWeb(_ changes: [String: String?] = [:], decision: JSONObject = [:]) async throws
        -> [String: String]
    {
        try await decide(decision)
        return await authorize(changes).hiddenFields
    }

    func exchange(_ code: String, _ changes: [String: String?] = [:]) async throws -> Reply {
        var fields = [
            "grant_type": "authorization_code", "code": code, "client_id": Self.web,
            "client_secret": try secret(), "redirect_uri": Self.callback,
        ]
        for (name, value) in changes { fields[name] = value }
        return await post("/auth/token", fields)
    }

    func refresh(_ token: String, _ changes: [String: String?] = [:]) async throws -> Reply {
        var fields = [
            "grant_type": "refresh_token", "refresh_token": token, "client_id": Self.web,
            "client_secret": try secret(),
        ]
        for (name, value) in changes { fields[name] = value }
        return await post("/auth/token", fields)
    }

    func credentials(_ changes: JSONObject = [:]) async throws -> JSONObject {
        var request: JSONObject = ["client_id": .string(Self.app), "scopes": ["name", "email"]]
        for member in changes.members { request[member.name] = member.value }
        return try await apple.credentials(for: "maya@example.com", request)
    }

    /// Why an object is not added; nil when it is.
    func refusal(of kind: SeedKind, _ object: JSONObject) async -> ControlRefusal? {
        do {
            _ = try await apple.add(kind, object)
            return nil
        } catch {
            return error
        }
    }

    /// A client secret, right but for the changes.
    func secret(
        header: JSONObject = [:],
        claims: JSONObject = [:],
        without: String? = nil,
        key: P256.Signing.PrivateKey? = nil
    ) throws -> String {
        var head: JSONObject = ["alg": "ES256", "kid": .string(Self.keyID)]
        var body: JSONObject = [
            "iss": .string(Self.team), "iat": .integer(now), "exp": .integer(now + 600),
            "aud": "https://appleid.apple.com", "sub": .string(Self.web),
        ]
        for member in header.members { head[member.name] = member.value }
        for member in claims.members { body[member.name] = member.value }
        if let without {
            head[without] = nil
            body[without] = nil
        }
        return try SigningKey(key ?? self.key).sign(header: head.data, payload: body.data)
    }

    static func encode(_ fields: [String: String]) -> String {
        let allowed = CharacterSet.alphanumerics
        return fields.map { name, value in
            name + "=" + (value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")
        }
        .joined(separator: "&")
    }
}
