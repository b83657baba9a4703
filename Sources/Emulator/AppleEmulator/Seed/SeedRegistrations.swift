import AppleIdentity
import OpenAPIDescription

/// A developer team.
public struct SeedTeam: Hashable, Sendable {
    /// The Team ID, ten capital letters or digits.
    public var teamID: TeamID
    /// The developer name that users see.
    public var name: String?
    /// Whether it is an individual membership, with lower limits of redirect URIs and mail sources.
    public var isIndividual: Bool

    /// Creates a team; a missing Team ID is generated.
    public init(teamID: TeamID? = nil, name: String? = nil, isIndividual: Bool = false) {
        self.teamID = teamID ?? TeamID(RandomText.identifier())
        self.name = name
        self.isIndividual = isIndividual
    }
}

extension SeedTeam: SchemaObject {
    static let schema = Schema(
        SeedTeam(),
        .usual(
            "team_id",
            \.teamID,
            .identifier.checked("must be ten capital letters or digits", .tenSigns, \.isWellFormed)
        ),
        .optional("name", \.name, .text),
        .usual("individual", \.isIndividual, .boolean, isWritten: \.self)
    )
}

extension JSONSchema {
    /// A Team ID or a Key ID.
    static let tenSigns = text(lengths: 10...10, pattern: "^[A-Z0-9]{10}$")
}

/// An app, by its bundle identifier.
public struct SeedApp: Hashable, Sendable {
    /// The bundle identifier.
    public var clientID: ClientID
    /// The team to which the app belongs.
    public var teamID: TeamID
    /// The app's name that users see; nil shows the identifier.
    public var name: String?
    /// The primary app under which this one is grouped; nil for a primary app.
    public var primaryClientID: ClientID?
    /// The URL for server-to-server notifications; nil for none.
    public var notificationURL: String?

    /// Creates an app.
    public init(
        clientID: ClientID,
        teamID: TeamID,
        name: String? = nil,
        primaryClientID: ClientID? = nil,
        notificationURL: String? = nil
    ) {
        self.clientID = clientID
        self.teamID = teamID
        self.name = name
        self.primaryClientID = primaryClientID
        self.notificationURL = notificationURL
    }
}

extension SeedApp: SchemaObject {
    /// The fields that can be changed.
    static let changeableNames = ["name", "notification_url"]

    static let schema = Schema(
        SeedApp(clientID: "", teamID: ""),
        .required("client_id", \.clientID, .newClient),
        .required("team_id", \.teamID, .identifier),
        .optional("name", \.name, .text),
        .optional("primary_client_id", \.primaryClientID, .identifier),
        .optional(
            "notification_url",
            \.notificationURL,
            .text(maximumCount: RedirectAddress.maximumByteCount, format: "uri")
        ),
        check: { app throws(ControlRefusal) in
            let fault = app.notificationURL.flatMap {
                NotificationAddress.registrationFault($0, isStrict: false)
            }
            if let fault { throw .wrong("notification_url", fault) }
        }
    )
}

extension ValueForm<ClientID> {
    private static let maximumByteCount = 255

    static var newClient: ValueForm {
        identifier
            .checked("is longer than \(maximumByteCount) bytes") {
                $0.rawValue.utf8.count <= maximumByteCount
            }
            .checked(
                "may have only letters, digits, dots and hyphens",
                .text(lengths: 1...maximumByteCount, pattern: "^[A-Za-z0-9.-]+$")
            ) { $0.rawValue.wholeMatch(of: /[A-Za-z0-9.\-]*/) != nil }
    }
}

/// A Services ID, for the web.
public struct SeedService: Hashable, Sendable {
    /// The Services ID.
    public var clientID: ClientID
    /// The primary app, which determines the team and the group.
    public var primaryClientID: ClientID
    /// The name that users see; nil shows the app's name.
    public var name: String?
    /// The redirect URIs (Return URLs in Apple's portal), compared exactly.
    public var returnURLs: [String]

    /// Creates a Services ID.
    public init(
        clientID: ClientID,
        primaryClientID: ClientID,
        name: String? = nil,
        returnURLs: [String] = []
    ) {
        self.clientID = clientID
        self.primaryClientID = primaryClientID
        self.name = name
        self.returnURLs = returnURLs
    }
}

extension SeedService: SchemaObject {
    /// Apple's maximum number of redirect URIs for an organization.
    static let maximumReturnURLCount = 100
    /// Apple's maximum number of redirect URIs for an individual.
    static let maximumIndividualReturnURLCount = 10

    /// The fields that can be changed.
    static let changeableNames = ["name", "return_urls"]

    static let schema = Schema(
        SeedService(clientID: "", primaryClientID: ""),
        .required("client_id", \.clientID, .newClient),
        .required("primary_client_id", \.primaryClientID, .identifier),
        .optional("name", \.name, .text),
        .usual(
            "return_urls",
            \.returnURLs,
            .texts.checked(
                "has more than \(maximumReturnURLCount) entries",
                .list(of: FieldReader.schema(format: "uri"), maximumCount: maximumReturnURLCount)
            ) { $0.count <= maximumReturnURLCount }
        )
    )

    func checkReturnURLs(ofIndividual isIndividual: Bool) throws(ControlRefusal) {
        let maximumCount =
            isIndividual ? Self.maximumIndividualReturnURLCount : Self.maximumReturnURLCount
        guard returnURLs.count <= maximumCount else {
            throw .wrong("return_urls", "has more than \(maximumCount) entries")
        }
        for url in returnURLs {
            if let fault = RedirectAddress(url).registrationFault {
                throw .wrong("return_urls", "has \"\(url)\", which \(fault)")
            }
        }
    }
}
