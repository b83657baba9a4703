import AppleIdentity
import OpenAPIDescription

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
        (self.clientID, self.teamID, self.name) = (clientID, teamID, name)
        (self.primaryClientID, self.notificationURL) = (primaryClientID, notificationURL)
    }
}

extension SeedApp: SchemaObject {
    /// The fields that can be changed.
    static let changeableNames = ["name", "notification_url"]

    static let schema = ObjectSchema(
        SeedApp(clientID: "", teamID: ""),
        .required("client_id", \.clientID, .newClient),
        .required("team_id", \.teamID, .identifier),
        .optional("name", \.name, .text),
        .optional("primary_client_id", \.primaryClientID, .identifier),
        .optional(
            "notification_url",
            \.notificationURL,
            .text(maximumCount: RedirectURI.maximumByteCount, format: "uri")
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
