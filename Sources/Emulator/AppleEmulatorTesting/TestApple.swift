import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import SignInWithApple
import SimulatedAuthenticationServices

/// An emulator of Apple for one test, with a transport, a clock and test keys.
public struct TestApple: Sendable {
    /// The emulator.
    public let emulator: AppleEmulator
    /// The clock of the emulator and of the result of ``signIn(clientIDs:teamID:)``.
    public let clock: TestClock
    /// A transport that calls the emulator directly, without a network.
    public let transport: AppleTransport
    /// The initial seed, including the test keys.
    public let seed: Seed

    let keys: [TeamID: SeedKey]
    /// All emulators of a test run share them, because creating keys takes seconds.
    private static let signingKeys = Task { try await EmulatorSigningKey.make(count: 3) }

    init(seed: Seed, configuration: EmulatorConfiguration, clock: TestClock) async throws {
        var seed = seed
        var keys: [TeamID: SeedKey] = [:]
        for team in seed.teams {
            let key = SeedKey(teamID: team.teamID).completed()
            keys[team.teamID] = key
            seed.keys.append(key)
        }
        let time = clock.time
        emulator = try AppleEmulator(
            seed: seed,
            configuration: configuration,
            time: time.source,
            signingKeys: await Self.signingKeys.value
        )
        (self.clock, self.seed, self.keys) = (clock, seed, keys)
        transport = AppleTransport { [emulator] request, body in
            try await Self.carry(emulator.respond(to: request, body: body), time: time)
        }
    }

    package var time: ManualTime { clock.time }

    /// The emulator's current time; only ``advance(by:)`` changes it.
    public var now: Date { clock.now }

    /// Moves the clock of the emulator and of the library connected to it forward.
    ///
    /// - Parameter duration: the time to add.
    public func advance(by duration: Duration) { clock.advance(by: duration) }

    /// Creates an `AppleSignIn` that uses this emulator, its clock and a registered key.
    ///
    /// - Parameters:
    ///   - clientIDs: the apps and Services IDs; by default all in the seed.
    ///   - teamID: the team whose key signs client secrets; by default the first client's team.
    /// - Returns: the configured `AppleSignIn`.
    /// - Throws: ``TestAppleError`` if the seed does not have the team.
    public func signIn(clientIDs: [ClientID]? = nil, teamID: TeamID? = nil) throws -> AppleSignIn {
        AppleSignIn(
            configuration: try signInConfiguration(clientIDs: clientIDs, teamID: teamID),
            transport: transport,
            clock: clock
        )
    }

    /// Creates the configuration that ``signIn(clientIDs:teamID:)`` uses.
    ///
    /// - Parameters:
    ///   - clientIDs: the apps and Services IDs; by default all in the seed.
    ///   - teamID: the team whose key signs client secrets; by default the first client's team.
    /// - Returns: the configuration.
    /// - Throws: ``TestAppleError`` if the seed does not have the team.
    public func signInConfiguration(
        clientIDs: [ClientID]? = nil,
        teamID: TeamID? = nil
    ) throws -> AppleSignIn.Configuration {
        let clientIDs = clientIDs ?? seed.apps.map(\.clientID) + seed.services.map(\.clientID)
        let servicesIDs = Set(seed.services.map(\.clientID))
        return AppleSignIn.Configuration(
            appIDs: clientIDs.filter { !servicesIDs.contains($0) },
            servicesIDs: clientIDs.filter(servicesIDs.contains),
            key: try key(of: teamID ?? team(of: clientIDs.first)),
            service: AppleService(
                url: AppleService.apple.url,
                issuer: emulator.configuration.issuer
            )
        )
    }

    /// Returns the credential that an app gets on a device when the user authorizes it.
    ///
    /// - Parameters:
    ///   - email: the user's email address; by default the seed's first user.
    ///   - clientID: the app, not a Services ID; by default the seed's first app.
    ///   - scopes: the requested scopes.
    ///   - nonce: the `nonce` claim of the identity token, unchanged.
    ///   - hidesEmail: whether the user hides the email address; used only the first time.
    ///   - name: the name that the user enters on the sheet; used only the first time.
    /// - Returns: the credential.
    /// - Throws: `ControlRefusal` if the user or the app is unknown, or it is a Services ID.
    public func credentials(
        for email: String? = nil,
        clientID: ClientID? = nil,
        scopes: [Scope] = [.name, .email],
        nonce: String? = nil,
        hidesEmail: Bool = false,
        name: PersonName? = nil
    ) async throws -> TestCredential {
        var request: JSONObject = [
            "client_id": .string(try app(clientID).rawValue),
            "scopes": .array(scopes.map { .string($0.rawValue) }),
            "email": hidesEmail ? "hide" : "share",
        ]
        request["nonce"] = nonce.map { .string($0) }
        request["name"] = name.map { .object($0.object) }
        return try TestCredential(await emulator.credentials(for: person(email), request))
    }

    /// Performs an authorization request in place of a browser, with the user's decision.
    ///
    /// - Parameters:
    ///   - url: the authorization URL from the library.
    ///   - email: the user's email address; by default the seed's first user.
    ///   - isContinuing: whether the user authorizes the app; false presses Cancel.
    ///   - hidesEmail: whether the user hides the email address; used only the first time.
    ///   - name: the name that the user enters on the sheet; used only the first time.
    /// - Returns: the response that the browser brings to the redirect URI.
    /// - Throws: ``TestAppleError`` if Apple does not redirect the browser, or `ControlRefusal` if
    ///   the user is unknown.
    public func authorize(
        _ url: URL,
        as email: String? = nil,
        isContinuing: Bool = true,
        hidesEmail: Bool = false,
        name: PersonName? = nil
    ) async throws -> TestCallback {
        var decision: JSONObject = [
            "person": .string(try person(email)), "decision": isContinuing ? "continue" : "cancel",
            "email": hidesEmail ? "hide" : "share",
        ]
        decision["name"] = name.map { .object($0.object) }
        let answer = try await emulator.respond(to: Self.get(url), deciding: decision)
        _ = try await Self.carry(answer, time: time)
        guard let callback = TestCallback(answer) else {
            let status = answer.response.status.code
            throw TestAppleError("Apple responded with \(status) and no redirect: see requests")
        }
        return callback
    }

    private func person(_ email: String?) throws -> String {
        guard let email = email ?? seed.people.first?.email else {
            throw TestAppleError("the seed has no user")
        }
        return email
    }

    private func app(_ clientID: ClientID?) throws -> ClientID {
        guard let clientID = clientID ?? seed.apps.first?.clientID else {
            throw TestAppleError("the seed has no app")
        }
        return clientID
    }

    private func team(of clientID: ClientID?) -> TeamID? {
        let primary = seed.services.first { $0.clientID == clientID }?.primaryClientID ?? clientID
        return seed.apps.first { $0.clientID == primary }?.teamID
    }

    private func key(of teamID: TeamID?) throws -> ClientSecretKey {
        guard let key = teamID.flatMap({ keys[$0] }) else {
            throw TestAppleError("the seed has no such team, or no team of the first client")
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

    private static func carry(
        _ answer: EmulatorAnswer,
        time: ManualTime
    ) async throws -> AppleTransport.Response {
        if let delay = answer.delay { try await time.source.sleep(for: delay) }
        guard !answer.isDropped else { throw TestAppleError("a fault closed the connection") }
        var response = answer.response
        // Every real server sends this field, and the library compares clocks with it.
        response.headerFields[.date] = time.now.httpText
        return AppleTransport.Response(head: response, body: answer.body)
    }
}
