import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import SignInWithApple

/// An emulated Apple for a test, and what a test needs to speak to it.
public struct TestApple: Sendable {
    /// The emulated Apple.
    public let emulator: AppleEmulator
    /// Its clock, and the one of whatever is configured by ``signIn(clientIDs:teamID:)``.
    package let time: ManualTime
    /// Leads to the emulated Apple without sockets.
    public let transport: AppleTransport
    /// Who and what was registered at first, with the test's own keys.
    public let seed: Seed

    private let keys: [TeamID: SeedKey]

    init(seed: Seed, configuration: EmulatorConfiguration) async throws {
        var seed = seed
        var keys: [TeamID: SeedKey] = [:]
        for team in seed.teams {
            let key = SeedKey(teamID: team.teamID).completed()
            keys[team.teamID] = key
            seed.keys.append(key)
        }
        let time = ManualTime()
        let emulator = try AppleEmulator(
            seed: seed,
            configuration: configuration,
            time: time.source,
            signingKeys: await SharedSigningKeys.keys()
        )
        self.emulator = emulator
        self.time = time
        self.seed = seed
        self.keys = keys
        transport = AppleTransport { request, body in
            try await Self.carry(emulator.respond(to: request, body: body), time: time)
        }
    }

    /// The time of its clock, which stands still until it is moved.
    public var now: Date { time.now }

    /// Moves its clock forward, for the library connected to it as well.
    ///
    /// - Parameter duration: how far.
    public func advance(by duration: Duration) { time.advance(bySeconds: duration / .seconds(1)) }

    /// Makes the library's facade: connected to this Apple, on its clock, with a registered key.
    ///
    /// - Parameters:
    ///   - clientIDs: the apps and Services IDs; all that were registered when left out.
    ///   - teamID: whose key it has; of the first client's team in the seed when left out.
    /// - Returns: the facade.
    /// - Throws: `SignInError` when no team owns a key.
    public func signIn(clientIDs: [ClientID]? = nil, teamID: TeamID? = nil) throws -> AppleSignIn {
        AppleSignIn(
            configuration: try signInConfiguration(clientIDs: clientIDs, teamID: teamID),
            transport: transport,
            time: time.source
        )
    }

    /// The configuration that ``signIn(clientIDs:teamID:)`` uses.
    ///
    /// - Parameters:
    ///   - clientIDs: the apps and Services IDs; all that were registered when left out.
    ///   - teamID: whose key it has; of the first client's team in the seed when left out.
    /// - Returns: the configuration.
    /// - Throws: `SignInError` when the team of the first client has no key.
    public func signInConfiguration(
        clientIDs: [ClientID]? = nil,
        teamID: TeamID? = nil
    ) throws -> AppleSignIn.Configuration {
        let clientIDs = clientIDs ?? seed.apps.map(\.clientID) + seed.services.map(\.clientID)
        return AppleSignIn.Configuration(
            clientIDs: clientIDs,
            key: try key(of: teamID ?? team(of: clientIDs.first)),
            service: AppleService(
                url: AppleService.apple.url,
                issuer: emulator.configuration.issuer
            )
        )
    }

    /// What a device would hand to an app when the person agrees.
    ///
    /// - Parameters:
    ///   - email: the person's address.
    ///   - clientID: the app.
    ///   - scopes: what the app asks for.
    ///   - nonce: what goes into the token, verbatim.
    ///   - hidesEmail: whether the person hides the address, when asked the first time.
    ///   - name: the name the person leaves on the sheet, when asked the first time.
    /// - Returns: the credential.
    /// - Throws: `ControlRefusal`.
    public func credentials(
        for email: String = "maya@example.com",
        clientID: ClientID = "com.example.juice",
        scopes: [Scope] = [.name, .email],
        nonce: String? = nil,
        hidesEmail: Bool = false,
        name: PersonName? = nil
    ) async throws -> TestCredential {
        var request: JSONObject = [
            "client_id": .string(clientID.rawValue),
            "scopes": .array(scopes.map { .string($0.rawValue) }),
            "email": hidesEmail ? "hide" : "share",
        ]
        request["nonce"] = nonce.map { .string($0) }
        request["name"] = name.map(Self.object)
        return try TestCredential(await emulator.credentials(for: email, request))
    }

    /// Sends a person through the web page, with their decision given beforehand.
    ///
    /// - Parameters:
    ///   - url: the authorize address, as the library makes it.
    ///   - email: the person's address.
    ///   - isContinuing: whether they agree; false presses Cancel.
    ///   - hidesEmail: whether they hide the address, when asked the first time.
    ///   - name: the name they leave on the sheet, when asked the first time.
    /// - Returns: what the browser brings to the redirect address.
    /// - Throws: ``TestAppleError`` when Apple sends the browser nowhere; the decision is gone then.
    public func authorize(
        _ url: URL,
        as email: String = "maya@example.com",
        isContinuing: Bool = true,
        hidesEmail: Bool = false,
        name: PersonName? = nil
    ) async throws -> TestCallback {
        var decision: JSONObject = [
            "person": .string(email), "decision": isContinuing ? "continue" : "cancel",
            "email": hidesEmail ? "hide" : "share",
        ]
        decision["name"] = name.map(Self.object)
        let answer = try await emulator.respond(to: Self.get(url), deciding: decision)
        _ = try await Self.carry(answer, time: time)
        guard let callback = TestCallback(answer) else {
            let status = answer.response.status.code
            throw TestAppleError("Apple answered \(status) and sends nobody back")
        }
        return callback
    }

    private func team(of clientID: ClientID?) -> TeamID? {
        let primary = seed.services.first { $0.clientID == clientID }?.primaryClientID ?? clientID
        return seed.apps.first { $0.clientID == primary }?.teamID
    }

    private func key(of teamID: TeamID?) throws -> ClientSecretKey {
        guard let key = teamID.flatMap({ keys[$0] }) else {
            throw TestAppleError("no team in the seed owns the first client")
        }
        return try ClientSecretKey(
            pem: key.privateKeyPEM ?? "",
            keyID: key.keyID,
            teamID: key.teamID
        )
    }

    private static func get(_ url: URL) -> HTTPRequest {
        let components = URLComponents(url: url, resolvingAgainstBaseURL: false)
        let query = components?.percentEncodedQuery.map { "?" + $0 } ?? ""
        return HTTPRequest(
            method: .get,
            scheme: url.scheme,
            authority: components?.host,
            path: (components?.percentEncodedPath ?? "/") + query
        )
    }

    private static func object(_ name: PersonName) -> JSONValue {
        var object = JSONObject()
        object["given_name"] = name.givenName.map { .string($0) }
        object["family_name"] = name.familyName.map { .string($0) }
        return .object(object)
    }

    private static func carry(
        _ answer: EmulatorAnswer,
        time: ManualTime
    ) async throws -> (HTTPResponse, Data) {
        if let delay = answer.delay { try await time.source.sleep(for: delay) }
        guard !answer.isDropped else { throw TestAppleError("Apple closed the connection") }
        var response = answer.response
        // Every real server sends it, and clocks are compared with it.
        response.headerFields[.date] = time.now.httpText
        return (response, answer.body)
    }
}
