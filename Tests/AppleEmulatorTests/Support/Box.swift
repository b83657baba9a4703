import AppleEmulator
import AppleIdentity
import Crypto
import Foundation
import HTTPTypes
import SignedTokens
import Testing

/// An emulator with a known key, used by plain requests.
struct Box {
    static let callback = "https://juice.example.com/sign-in/apple/callback"
    static let web = "com.example.juice.web"
    static let app = "com.example.juice"
    static let team = "JUICETEAM1"
    static let otherTeam = "OTHERTEAM1"
    static let keyID = "JUICEKEY01"

    private static let signingKeys = Task { try await EmulatorSigningKey.make(count: 3) }

    let apple: AppleEmulator
    private(set) var time = ManualTime()
    private(set) var key = P256.Signing.PrivateKey()
    /// The default browser of requests.
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

    /// An emulator with an exported state, for the same developers.
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

    func post(_ path: String, _ fields: [String: String]) async -> Reply {
        await send(.post, path, body: Self.encode(fields))
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

    static let authorizePath = "/auth/authorize?" + encode(authorizeFields)

    func decide(_ changes: JSONObject = [:]) async throws {
        let decision: JSONObject = ["person": "maya@example.com", "decision": "continue"]
        _ = try await apple.decideNext(decision.merging(changes))
    }

    /// Signs Maya in on the web; the form's fields.
    func signInOnTheWeb(_ changes: [String: String?] = [:], decision: JSONObject = [:]) async throws
        -> [String: String]
    {
        try await decide(decision)
        return await authorize(changes).hiddenFields
    }

    /// Signs Maya in on the web; the code.
    func code(_ changes: [String: String?] = [:], decision: JSONObject = [:]) async throws -> String
    {
        try #require(await signInOnTheWeb(changes, decision: decision)["code"])
    }

    /// Signs Maya in on the web, and exchanges the code.
    func tokens(_ changes: [String: String?] = [:], decision: JSONObject = [:]) async throws
        -> Reply
    {
        try await exchange(code(changes, decision: decision))
    }

    func exchange(
        _ code: String,
        _ changes: [String: String?] = [:],
        headers: HTTPFields = [:]
    ) async throws -> Reply {
        let fields = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": Self.callback,
        ]
        return try await ask("/auth/token", fields, changes, headers: headers)
    }

    func refresh(
        _ token: String?,
        _ changes: [String: String?] = [:],
        query: String = "",
        headers: HTTPFields = [:]
    ) async throws -> Reply {
        let fields = ["grant_type": "refresh_token", "refresh_token": token]
        return try await ask("/auth/token" + query, fields, changes, headers: headers)
    }

    func revoke(_ token: String?, _ changes: [String: String?] = [:]) async throws -> Reply {
        try await ask("/auth/revoke", ["token": token], changes)
    }

    /// Sends a request as the Services ID, with a valid secret.
    func ask(
        _ path: String,
        _ fields: [String: String?],
        _ changes: [String: String?] = [:],
        headers: HTTPFields = [:]
    ) async throws -> Reply {
        let client = ["client_id": Self.web, "client_secret": try secret()]
        let all = fields.merging(client) { $1 }.merging(changes) { $1 }.compactMapValues(\.self)
        return await send(.post, path, body: Self.encode(all), headers: headers)
    }

    func credentials(_ changes: JSONObject = [:]) async throws -> JSONObject {
        let request: JSONObject = ["client_id": .string(Self.app), "scopes": ["name", "email"]]
        return try await apple.credentials(for: "maya@example.com", request.merging(changes))
    }

    /// The identity token that Maya's device hands to an app.
    func deviceToken(_ changes: JSONObject = [:]) async throws -> TokenText {
        TokenText(try await credentials(changes)["identity_token"]?.stringValue)
    }

    /// The reason of the last refusal; empty if the last request was not refused.
    func lastReason() async -> String { await lastWords("reason") }

    func lastHint() async -> String { await lastWords("hint") }

    private func lastWords(_ name: String) async -> String {
        await apple.requests().last?[name]?.stringValue ?? ""
    }

    func state(of clientID: String = Box.app) async throws -> String {
        try await apple.credentialState(of: Self.maya, clientID: ClientID(clientID))
    }

    func transfer(_ app: String = Box.app, to team: String = Box.otherTeam) async throws {
        _ = try await apple.transfer(["client_id": .string(app), "to_team": .string(team)])
    }

    /// An emulator with this one's exported state.
    func restarted(_ configuration: EmulatorConfiguration = .init()) async throws -> Box {
        try await Box(importing: apple.exported(), as: self, configuration: configuration)
    }

    /// The error for an object; nil if it is added.
    func refusal(of kind: SeedKind, _ object: JSONObject) async -> ControlRefusal? {
        do {
            _ = try await apple.add(kind, object)
            return nil
        } catch {
            return error
        }
    }

    func expectRefusal<Answer>(
        _ kind: ControlRefusal.Kind,
        _ change: (AppleEmulator) async throws -> Answer,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let error = await #expect(
            throws: ControlRefusal.self,
            sourceLocation: sourceLocation
        ) { _ = try await change(apple) }
        #expect(error?.kind == kind, sourceLocation: sourceLocation)
    }

    /// Expects that each object is refused by this field, and that nothing changes.
    func expectRefused<Answer>(
        _ mistakes: [(object: JSONObject, field: String)],
        kind: ControlRefusal.Kind = .wrongField,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ ask: (JSONObject) async throws -> Answer
    ) async {
        let before = await apple.exported()
        for (object, field) in mistakes {
            let refusal = await #expect(
                throws: ControlRefusal.self,
                "\(object.text)",
                sourceLocation: sourceLocation
            ) { _ = try await ask(object) }
            let found = [refusal?.field, refusal?.kind.rawValue]
            #expect(
                found == [field, kind.rawValue],
                "\(object.text)",
                sourceLocation: sourceLocation
            )
        }
        #expect(await apple.exported() == before, sourceLocation: sourceLocation)
    }

    /// A valid client secret with changes.
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
        (head, body) = (head.merging(header), body.merging(claims))
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

extension Seed {
    /// Registers another team, with an optional key and app.
    mutating func addOtherTeam(key: P256.Signing.PrivateKey? = nil, app: String? = nil) {
        teams.append(SeedTeam(teamID: TeamID(Box.otherTeam)))
        if let key { addKey("OTHERKEY01", of: Box.otherTeam, key) }
        if let app { addApp(app, of: Box.otherTeam) }
    }

    mutating func addKey(
        _ keyID: String,
        of team: String = Box.team,
        _ key: P256.Signing.PrivateKey,
        for app: String? = nil
    ) {
        var seeded = SeedKey(teamID: TeamID(team), keyID: KeyID(keyID))
        seeded.publicKeyPEM = key.publicKey.pemRepresentation
        seeded.primaryClientID = app.map { ClientID($0) }
        keys.append(seeded)
    }

    mutating func addApp(
        _ clientID: String,
        of team: String = Box.team,
        group: String? = nil,
        notificationURL: String? = nil
    ) {
        var app = SeedApp(clientID: ClientID(clientID), teamID: TeamID(team))
        app.primaryClientID = group.map { ClientID($0) }
        app.notificationURL = notificationURL
        apps.append(app)
    }
}
