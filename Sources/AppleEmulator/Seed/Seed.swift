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
    public init(yaml: String) throws(SeedError) {
        self = try SeedDocument(yaml: yaml).seed()
    }

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
