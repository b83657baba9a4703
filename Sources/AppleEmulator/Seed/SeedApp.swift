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

extension SeedApp {
    init(_ object: JSONObject) throws(ControlRefusal) {
        let fields = try FieldReader(
            object,
            known: ["client_id", "team_id", "name", "primary_client_id", "notification_url"]
        )
        self.init(
            clientID: try fields.clientID("client_id"),
            teamID: TeamID(try fields.text("team_id")),
            name: try fields.optionalText("name"),
            primaryClientID: try fields.optionalText("primary_client_id").map { ClientID($0) },
            notificationURL: try fields.optionalText(
                "notification_url",
                maximumByteCount: RedirectAddress.maximumByteCount
            )
        )
        if let notificationURL,
            let fault = NotificationAddress.registrationFault(notificationURL, isStrict: false)
        {
            throw .wrong("notification_url", fault)
        }
    }

    var object: JSONObject {
        var object: JSONObject = [
            "client_id": .string(clientID.rawValue), "team_id": .string(teamID.rawValue),
        ]
        object["name"] = name.map { .string($0) }
        object["primary_client_id"] = primaryClientID.map { .string($0.rawValue) }
        object["notification_url"] = notificationURL.map { .string($0) }
        return object
    }
}

extension FieldReader {
    /// A bundle identifier or Services ID.
    func clientID(_ name: String) throws(ControlRefusal) -> ClientID {
        let text = try text(name, maximumByteCount: 255)
        let isWellFormed = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard isWellFormed else { throw .wrong(name, "may have letters, digits, dots and hyphens") }
        return ClientID(text)
    }
}
