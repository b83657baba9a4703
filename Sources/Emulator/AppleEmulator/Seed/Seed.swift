import AppleIdentity

/// The registrations of an emulator at its start and after a reset.
public struct Seed: Hashable, Sendable {
    /// The developer teams.
    public var teams: [SeedTeam]
    /// The keys that verify client secrets.
    public var keys: [SeedKey]
    /// The apps, in any order.
    public var apps: [SeedApp]
    /// The Services IDs.
    public var services: [SeedService]
    /// The users with Apple Accounts.
    public var people: [SeedPerson]
    /// The registered mail sources of the private email relay.
    public var mailSources: [SeedMailSource]
    /// The settings of server-to-server notifications.
    public var notificationSettings: NotificationSettings
    /// The switches by name, as in `PATCH /switches`; others have their configured values.
    package var switches: JSONObject = [:]
    /// The faults at the start, as in `POST /faults`.
    package var faults: [JSONObject] = []

    /// Creates a seed; without arguments it is empty.
    public init(
        teams: [SeedTeam] = [],
        keys: [SeedKey] = [],
        apps: [SeedApp] = [],
        services: [SeedService] = [],
        people: [SeedPerson] = [],
        mailSources: [SeedMailSource] = [],
        notificationSettings: NotificationSettings = NotificationSettings()
    ) {
        (self.teams, self.keys, self.apps) = (teams, keys, apps)
        (self.services, self.people, self.mailSources) = (services, people, mailSources)
        self.notificationSettings = notificationSettings
    }
}

extension Seed {
    /// Reads a seed from YAML or JSON.
    ///
    /// - Parameter yaml: the objects of the control API under `teams`, `keys`, `apps`, `services`,
    ///   `people`, `mail_sources` and `faults`, and the settings of `notifications` and `switches`.
    /// - Throws: ``SeedError`` with the line and the reason of the first error.
    public init(yaml: String) throws(SeedError) { self = try SeedDocument(yaml: yaml).seed() }

    /// The name of the app of ``demo(redirectURIs:notificationURL:publicKeyPEM:)``.
    package static let demoAppName = "Juice"

    /// An example seed.
    ///
    /// It has the team `JUICETEAM1`, the app `com.example.juice` with the Services ID
    /// `com.example.juice.web`, and the users maya@example.com and noah@example.com.
    ///
    /// - Parameters:
    ///   - redirectURIs: the redirect URIs of the Services ID.
    ///   - notificationURL: the URL for server-to-server notifications; nil for none.
    ///   - publicKeyPEM: the public key of `JUICEKEY01`, PEM on P-256; nil generates a key pair.
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
                    name: demoAppName,
                    notificationURL: notificationURL
                )
            ],
            services: [
                SeedService(
                    clientID: "com.example.juice.web",
                    primaryClientID: "com.example.juice",
                    name: demoAppName,
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

/// An error in a seed or in an exported state.
public struct SeedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line number, beginning with 1, if it is known.
    public let line: Int?
    /// The cause in one sentence.
    public let reason: String

    /// Creates an error.
    public init(line: Int?, reason: String) {
        self.line = line
        self.reason = reason
    }

    /// The line number, if it is known, and the reason.
    public var description: String {
        if let line { "line \(line): \(reason)" } else { reason }
    }
}

/// The kinds of objects in a seed and in the control API.
public enum SeedKind: String, Hashable, Sendable, CaseIterable {
    /// A developer team.
    case team
    /// The public key of a client secret's key.
    case key
    /// An app, by its bundle identifier.
    case app
    /// A Services ID, for the web.
    case service
    /// A user with an Apple Account.
    case person
    /// A domain or email address from which a team sends mail.
    case mailSource

    /// The name in a seed: `teams`, `keys`, `apps`, `services`, `people`, `mail_sources`.
    ///
    /// Paths of the control API have a hyphen instead of the underscore.
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
    /// Whether the object is new; false if an equal one existed.
    package let isNew: Bool
}
