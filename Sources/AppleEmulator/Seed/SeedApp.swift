import AppleIdentity

/// An app, by its bundle identifier.
public struct SeedApp: Hashable, Sendable {
    /// The bundle identifier.
    public var clientID: ClientID
    /// The team that makes the app.
    public var teamID: TeamID
    /// What people see.
    public var name: String?
    /// The primary app under which this one is grouped; nil for a primary app.
    public var primaryClientID: ClientID?
    /// Where Apple tells the app's server what people do.
    public var notificationURL: String?

    /// Makes an app.
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
    static let schema = Schema(
        SeedApp(clientID: "", teamID: ""),
        .required("client_id", \.clientID, .newClient),
        .required("team_id", \.teamID, .identifier),
        .optional("name", \.name, .text),
        .optional("primary_client_id", \.primaryClientID, .identifier),
        .optional(
            "notification_url",
            \.notificationURL,
            .text(maximumByteCount: RedirectAddress.maximumByteCount)
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
    /// The longest bundle identifier or Services ID, in bytes.
    private static let maximumByteCount = 255

    /// A bundle identifier or Services ID that is to be registered.
    static var newClient: ValueForm {
        identifier
            .checked("is longer than \(maximumByteCount) bytes") {
                $0.rawValue.utf8.count <= maximumByteCount
            }
            .checked("may have letters, digits, dots and hyphens") {
                $0.rawValue.allSatisfy {
                    $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-")
                }
            }
    }
}
