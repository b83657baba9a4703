import AppleIdentity
import SignedTokens

struct ClientRegistry {
    static let maximumObjectCount = 10_000

    private(set) var teams: [TeamID: SeedTeam] = [:]
    private(set) var keys: [KeyID: SeedKey] = [:]
    private(set) var apps: [ClientID: SeedApp] = [:]
    private(set) var services: [ClientID: SeedService] = [:]
    private var verificationKeys: [KeyID: VerificationKey] = [:]

    func verificationKey(_ keyID: KeyID) -> VerificationKey? { verificationKeys[keyID] }

    /// The app or Services ID with this identifier, compared case-sensitively.
    func client(_ clientID: ClientID) -> RegisteredClient? {
        if let app = apps[clientID] {
            return RegisteredClient(
                clientID: clientID,
                teamID: app.teamID,
                group: app.primaryClientID ?? clientID,
                name: app.name ?? clientID.rawValue,
                returnURLs: [],
                isService: false
            )
        }
        guard let service = services[clientID], let primary = apps[service.primaryClientID] else {
            return nil
        }
        return RegisteredClient(
            clientID: clientID,
            teamID: primary.teamID,
            group: service.primaryClientID,
            name: service.name ?? primary.name ?? clientID.rawValue,
            returnURLs: service.returnURLs,
            isService: true
        )
    }

    func require(_ clientID: String, field: String = "client_id") throws(ControlRefusal)
        -> RegisteredClient
    {
        guard let client = client(ClientID(clientID)) else {
            throw .wrong(field, "is not a registered app or Services ID")
        }
        return client
    }

    mutating func add(_ team: SeedTeam) throws(ControlRefusal) -> AddOutcome {
        try Self.add(team, to: &teams, as: team.teamID, field: "team_id")
    }

    mutating func add(_ key: SeedKey) throws(ControlRefusal) -> AddOutcome {
        try checkTeam(key.teamID)
        if let known = keys[key.keyID] {
            let isSame =
                known.teamID == key.teamID && known.primaryClientID == key.primaryClientID
                && (key.publicKeyPEM == nil || Self.isSame(key.publicKeyPEM, known.publicKeyPEM))
            guard isSame else { throw .conflict("key_id", Self.taken(key.keyID.rawValue)) }
            return AddOutcome(object: Self.answer(to: known), isNew: false)
        }
        if let primaryID = key.primaryClientID { try checkPrimary(primaryID, of: key.teamID) }
        return try keep(key.completed())
    }

    /// Adds a complete key, even if its app belongs to another team now.
    private mutating func keep(_ key: SeedKey) throws(ControlRefusal) -> AddOutcome {
        try checkTeam(key.teamID)
        try Self.checkCount(keys.count, "key_id")
        guard let pem = key.publicKeyPEM, let publicKey = try? VerificationKey(p256PEM: pem) else {
            throw .wrong("public_key_pem", "is not a PEM public key on P-256")
        }
        keys[key.keyID] = key
        verificationKeys[key.keyID] = publicKey
        return AddOutcome(object: Self.answer(to: key), isNew: true)
    }

    mutating func add(_ app: SeedApp) throws(ControlRefusal) -> AddOutcome {
        try checkTeam(app.teamID)
        try Self.checkPrefix(of: app.clientID, teamID: app.teamID)
        if let primaryID = app.primaryClientID {
            guard primaryID != app.clientID else {
                throw .wrong("primary_client_id", "is the app itself; omit it for a primary app")
            }
            try checkPrimary(primaryID, of: app.teamID)
        }
        guard services[app.clientID] == nil else {
            throw .conflict("client_id", "\(app.clientID) is already a Services ID")
        }
        return try Self.add(app, to: &apps, as: app.clientID, field: "client_id")
    }

    mutating func add(_ service: SeedService) throws(ControlRefusal) -> AddOutcome {
        let primary = try primary(service.primaryClientID)
        try Self.checkPrefix(of: service.clientID, teamID: primary.teamID)
        let isIndividual = teams[primary.teamID]?.isIndividual == true
        try service.checkReturnURLs(ofIndividual: isIndividual)
        guard apps[service.clientID] == nil else {
            throw .conflict("client_id", "\(service.clientID) is already an app")
        }
        return try Self.add(service, to: &services, as: service.clientID, field: "client_id")
    }

    /// Adds an object; adding an equal one again changes nothing.
    private static func add<Identifier: TextIdentifier, Object: SchemaObject & Equatable>(
        _ object: Object,
        to table: inout [Identifier: Object],
        as identifier: Identifier,
        field: String
    ) throws(ControlRefusal) -> AddOutcome {
        guard let known = table[identifier] else {
            try checkCount(table.count, field)
            table[identifier] = object
            return AddOutcome(object: object.object, isNew: true)
        }
        guard known == object else { throw .conflict(field, taken(identifier.rawValue)) }
        return AddOutcome(object: known.object, isNew: false)
    }

    /// Moves a primary app to another team; its Services IDs follow it.
    ///
    /// - Returns: the team it belonged to.
    mutating func move(_ clientID: ClientID, to teamID: TeamID) throws(ControlRefusal) -> TeamID {
        guard let app = apps[clientID] else {
            throw .wrong("client_id", "is not a registered app; Services IDs follow their app")
        }
        guard teams[teamID] != nil else { throw .wrong("to_team", "is not a registered team") }
        guard app.teamID != teamID else {
            throw .conflict("to_team", "\(clientID) already belongs to \(teamID)")
        }
        let isGrouped =
            app.primaryClientID != nil || apps.values.contains { $0.primaryClientID == clientID }
        guard !isGrouped else {
            throw .conflict(
                "client_id",
                "\(clientID) is grouped with other apps; remove it from the group first"
            )
        }
        try Self.checkPrefix(of: clientID, teamID: teamID)
        setTeam(of: clientID, to: teamID)
        return app.teamID
    }

    mutating func setTeam(of clientID: ClientID, to teamID: TeamID) {
        apps[clientID]?.teamID = teamID
    }

    /// Checks that the teams of a person's identities are registered.
    func check(_ person: SeedPerson) throws(ControlRefusal) {
        for identity in person.identities where teams[identity.teamID] == nil {
            throw .wrong("teams", "names \(identity.teamID), which is not a registered team")
        }
    }

    private func checkTeam(_ teamID: TeamID) throws(ControlRefusal) {
        guard teams[teamID] != nil else { throw .wrong("team_id", "is not a registered team") }
    }

    private func primary(_ clientID: ClientID) throws(ControlRefusal) -> SeedApp {
        try checkApp(clientID)
        guard let primary = apps[clientID], primary.primaryClientID == nil else {
            throw .wrong("primary_client_id", "is an app that is grouped under another app")
        }
        return primary
    }

    private func checkPrimary(_ clientID: ClientID, of teamID: TeamID) throws(ControlRefusal) {
        guard try primary(clientID).teamID == teamID else {
            throw .wrong("primary_client_id", "is an app of another team")
        }
    }

    /// The App ID of a provisioning profile begins with the Team ID; the client ID does not.
    private static func checkPrefix(of clientID: ClientID, teamID: TeamID) throws(ControlRefusal) {
        guard !clientID.rawValue.hasPrefix(teamID.rawValue + ".") else {
            throw .wrong("client_id", "begins with the Team ID; remove \(teamID).")
        }
    }

    private static func checkCount(_ count: Int, _ field: String) throws(ControlRefusal) {
        guard count < maximumObjectCount else {
            throw .full(field, "\(maximumObjectCount) objects of this kind")
        }
    }

    private static func taken(_ identifier: String) -> String {
        "\(identifier) already exists with other values"
    }

    /// Line breaks and other white space of a PEM do not matter.
    private static func isSame(_ first: String?, _ second: String?) -> Bool {
        first.map { $0.filter { !$0.isWhitespace } }
            == second.map { $0.filter { !$0.isWhitespace } }
    }

    private static func answer(to key: SeedKey) -> JSONObject {
        var object = key.object
        if key.privateKeyPEM != nil { object["public_key_pem"] = nil }
        return object
    }
}

extension ClientRegistry {
    func app(_ clientID: String) throws(ControlRefusal) -> SeedApp {
        guard let app = apps[ClientID(clientID)] else {
            throw .notFound("client_id", "no app has the client ID \(clientID.prefix(255))")
        }
        return app
    }

    func team(_ teamID: String) throws(ControlRefusal) -> SeedTeam {
        guard let team = teams[TeamID(teamID)] else {
            throw .notFound("team_id", "no team has the Team ID \(teamID.prefix(64))")
        }
        return team
    }

    func service(_ clientID: String) throws(ControlRefusal) -> SeedService {
        guard let service = services[ClientID(clientID)] else {
            throw .notFound("client_id", "no Services ID has the client ID \(clientID.prefix(255))")
        }
        return service
    }

    mutating func change(_ app: SeedApp) { apps[app.clientID] = app }

    mutating func change(_ service: SeedService) throws(ControlRefusal) {
        let primary = try primary(service.primaryClientID)
        try service.checkReturnURLs(ofIndividual: teams[primary.teamID]?.isIndividual == true)
        services[service.clientID] = service
    }

    /// Removes an app and its own keys; refuses while other clients belong to it.
    mutating func remove(_ app: SeedApp) throws(ControlRefusal) {
        let clients =
            apps.values.filter { $0.primaryClientID == app.clientID }.map(\.clientID.rawValue)
            + services.values.filter { $0.primaryClientID == app.clientID }
            .map(\.clientID.rawValue)
        guard clients.isEmpty else {
            let list = clients.sorted().prefix(5).joined(separator: ", ")
            throw .conflict("client_id", "\(app.clientID) has clients; remove them first: \(list)")
        }
        apps[app.clientID] = nil
        for key in keys.values where key.primaryClientID == app.clientID {
            keys[key.keyID] = nil
            verificationKeys[key.keyID] = nil
        }
    }

    mutating func remove(_ service: SeedService) { services[service.clientID] = nil }

    /// Removes a key, as if it were revoked in the developer account.
    mutating func removeKey(_ keyID: String) throws(ControlRefusal) {
        guard keys.removeValue(forKey: KeyID(keyID)) != nil else {
            throw .notFound("key_id", "no key has the Key ID \(keyID.prefix(64))")
        }
        verificationKeys[KeyID(keyID)] = nil
    }

    /// Removes a team and its keys; refuses while it has apps.
    mutating func remove(_ team: SeedTeam) throws(ControlRefusal) {
        let apps = apps.values.filter { $0.teamID == team.teamID }.map(\.clientID.rawValue)
        guard apps.isEmpty else {
            let list = apps.sorted().prefix(5).joined(separator: ", ")
            throw .conflict("team_id", "\(team.teamID) has apps; remove them first: \(list)")
        }
        teams[team.teamID] = nil
        for key in keys.values where key.teamID == team.teamID {
            try removeKey(key.keyID.rawValue)
        }
    }
}

extension ClientRegistry {
    /// Takes the URLs of registered apps and Services IDs from a seed.
    mutating func takeAddresses(of seed: Seed) {
        for app in seed.apps { apps[app.clientID]?.notificationURL = app.notificationURL }
        for service in seed.services { services[service.clientID]?.returnURLs = service.returnURLs }
    }
}

/// Restored objects are accepted as they are, if the objects they refer to exist.
///
/// They may break rules for new objects, for example after an app's transfer to a smaller team.
extension ClientRegistry {
    mutating func restore(_ team: SeedTeam) throws(ControlRefusal) {
        guard teams[team.teamID] == nil else { throw .twice("team_id") }
        teams[team.teamID] = team
    }

    mutating func restore(_ app: SeedApp) throws(ControlRefusal) {
        guard client(app.clientID) == nil else { throw .twice("client_id") }
        try checkTeam(app.teamID)
        try checkApp(app.primaryClientID)
        apps[app.clientID] = app
    }

    mutating func restore(_ service: SeedService) throws(ControlRefusal) {
        guard client(service.clientID) == nil else { throw .twice("client_id") }
        try checkApp(service.primaryClientID)
        services[service.clientID] = service
    }

    mutating func restore(_ key: SeedKey) throws(ControlRefusal) {
        guard keys[key.keyID] == nil else { throw .twice("key_id") }
        try checkApp(key.primaryClientID)
        guard key.privateKeyPEM == nil || key.isPair else {
            throw .wrong("private_key_pem", "is not the private key of public_key_pem")
        }
        _ = try keep(key)
    }

    fileprivate func checkApp(_ clientID: ClientID?) throws(ControlRefusal) {
        guard clientID.map({ apps[$0] != nil }) != false else {
            throw .wrong("primary_client_id", "is not a registered app")
        }
    }
}

/// An app or a Services ID with the values that follow from its registration.
struct RegisteredClient: Hashable {
    let clientID: ClientID
    let teamID: TeamID
    /// The primary app of the group, to which consent applies.
    let group: ClientID
    let name: String
    /// The redirect URIs; none for an app.
    let returnURLs: [String]
    let isService: Bool
}
