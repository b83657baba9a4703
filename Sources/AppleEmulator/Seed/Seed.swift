import AppleIdentity

/// Who and what an emulated Apple knows when it starts, and again after a reset.
public struct Seed: Hashable, Sendable {
    /// The developer teams.
    public var teams: [SeedTeam]
    /// The keys that sign client secrets.
    public var keys: [SeedKey]
    /// The apps, primary ones before those grouped under them.
    public var apps: [SeedApp]
    /// The Services IDs.
    public var services: [SeedService]
    /// The people.
    public var people: [SeedPerson]
    /// Where teams write from to relay addresses.
    public var mailSources: [SeedMailSource]
    /// How developers are told what people do.
    public var notificationSettings: NotificationSettings
    /// Switches by name, as `PATCH /switches` takes them; what is left out is as configured.
    package var switches: JSONObject = [:]
    /// What is broken at the start, as `POST /faults` takes it.
    package var faults: [JSONObject] = []

    /// Makes a seed; one of nothing when all is left out.
    public init(
        teams: [SeedTeam] = [],
        keys: [SeedKey] = [],
        apps: [SeedApp] = [],
        services: [SeedService] = [],
        people: [SeedPerson] = [],
        mailSources: [SeedMailSource] = [],
        notificationSettings: NotificationSettings = NotificationSettings()
    ) {
        self.teams = teams
        self.keys = keys
        self.apps = apps
        self.services = services
        self.people = people
        self.mailSources = mailSources
        self.notificationSettings = notificationSettings
    }
}

extension Seed {
    /// Reads a seed from YAML, of which JSON is a part.
    ///
    /// - Parameter yaml: the objects of the control port under `teams`, `keys`, `apps`,
    ///   `services`, `people`, `mail_sources` and `faults`, and the settings of
    ///   `notifications` and `switches`.
    /// - Throws: ``SeedError`` with the line and the reason of the first mistake.
    public init(yaml: String) throws(SeedError) { self = try SeedDocument(yaml: yaml).seed() }

    /// The seed of the demo: one team, one app with its Services ID, two people.
    ///
    /// - Parameters:
    ///   - redirectURIs: the return URLs of the Services ID.
    ///   - notificationURL: where the app's server is told what people do; nil for nowhere.
    ///   - publicKeyPEM: the public half of the key `JUICEKEY01`; a pair is made without it.
    /// - Returns: the seed.
    public static func demo(
        redirectURIs: [String] = ["https://juice.example.com/sign-in/apple/callback"],
        notificationURL: String? = "https://juice.example.com/apple/notifications",
        publicKeyPEM: String? = nil
    ) -> Seed {
        let team: TeamID = "JUICETEAM1"
        return Seed(
            teams: [SeedTeam(teamID: team, name: "Juice Makers")],
            keys: [SeedKey(teamID: team, keyID: "JUICEKEY01", publicKeyPEM: publicKeyPEM)],
            apps: [
                SeedApp(
                    clientID: "com.example.juice",
                    teamID: team,
                    name: "Juice",
                    notificationURL: notificationURL
                )
            ],
            services: [
                SeedService(
                    clientID: "com.example.juice.web",
                    primaryClientID: "com.example.juice",
                    name: "Juice",
                    returnURLs: redirectURIs
                )
            ],
            people: [
                SeedPerson(email: "maya@example.com", givenName: "Maya", familyName: "Lindgren"),
                SeedPerson(email: "noah@example.com", givenName: "Noah", familyName: "Okafor"),
            ],
            mailSources: [SeedMailSource(teamID: team, place: .domain("juice.example.com"))]
        )
    }
}

/// Why a seed, or a state that was exported, can't be used.
public struct SeedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line of the mistake, from 1, when it has one.
    public let line: Int?
    /// What is wrong, in one sentence.
    public let reason: String

    /// Makes an error.
    public init(line: Int?, reason: String) {
        self.line = line
        self.reason = reason
    }

    /// Line and reason in one line.
    public var description: String {
        if let line { "line \(line): \(reason)" } else { reason }
    }
}

/// The kinds of objects that a seed holds and that the control port adds.
public enum SeedKind: String, Hashable, Sendable, CaseIterable {
    /// A developer team.
    case team
    /// The public half of a key that signs client secrets.
    case key
    /// An app, by its bundle identifier.
    case app
    /// A Services ID, for the web.
    case service
    /// A person with an Apple Account.
    case person
    /// A domain or address that a team writes from.
    case mailSource

    /// The kind's name in a seed: `teams`, `keys`, `apps`, `services`, `people`, `mail_sources`.
    ///
    /// Paths of the control port have a hyphen for the underscore.
    public var section: String {
        switch self {
        case .team: "teams"
        case .key: "keys"
        case .app: "apps"
        case .service: "services"
        case .person: "people"
        case .mailSource: "mail_sources"
        }
    }
}

package struct AddOutcome: Hashable, Sendable {
    package let object: JSONObject
    /// Whether it was made now; false when the same one was there already.
    package let isNew: Bool
}
