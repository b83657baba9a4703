import AppleIdentity
import Foundation

/// A notification that somebody asks for on the control port, whatever people did.
struct NotificationOrder {
    /// The longest event type, in bytes.
    static let maximumTypeByteCount = 255
    /// The longest address, in bytes: the limit of an SMTP path.
    static let maximumEmailByteCount = 254
    /// The event of a notification that is malformed by an unknown type.
    static let unknownKind = NotificationEvent.Kind(rawValue: "something-new")

    let client: RegisteredClient
    let kind: NotificationEvent.Kind
    let userID: UserID
    let email: String?
    let defect: NotificationDefect?
    let duplicateCount: Int
    let delaySeconds: Int

    init(
        _ object: JSONObject,
        registry: ClientRegistry,
        people: PeopleDirectory
    ) throws(ControlRefusal) {
        let fields = try FieldReader(
            object,
            known: [
                "type", "client_id", "person", "sub", "email", "malformed", "duplicates",
                "delay_seconds",
            ]
        )
        let type = try fields.text("type", maximumByteCount: Self.maximumTypeByteCount)
        client = try registry.require(fields.text("client_id"))
        defect = try Self.defect(fields)
        kind = defect == .unknownType ? Self.unknownKind : NotificationEvent.Kind(rawValue: type)
        let identity: TeamIdentity?
        (userID, identity) = try Self.subject(fields, teamID: client.teamID, people: people)
        let isAboutEmail = kind == .emailDisabled || kind == .emailEnabled
        email =
            try fields.optionalText("email", maximumByteCount: Self.maximumEmailByteCount)
            ?? (isAboutEmail ? identity?.relayAddress : nil)
        duplicateCount = try fields.duplicateCount() ?? 0
        delaySeconds = try fields.delaySeconds() ?? 0
    }

    private static func subject(
        _ fields: FieldReader,
        teamID: TeamID,
        people: PeopleDirectory
    ) throws(ControlRefusal) -> (UserID, TeamIdentity?) {
        let email = try fields.optionalText("person", maximumByteCount: maximumEmailByteCount)
        let userID = try fields.optionalText("sub").map { UserID($0) }
        switch (email, userID) {
        case (let email?, nil):
            guard let person = people.person(email: email) else {
                throw .wrong("person", "is the address of nobody here")
            }
            guard let identity = person.identities[teamID] else {
                throw .wrong("person", "never met the team \(teamID), which so has no sub for them")
            }
            return (identity.userID, identity)
        case (nil, let userID?):
            let person = people.person(userID: userID, teamID: teamID)
            return (userID, person?.identities[teamID])
        case (.some, .some):
            throw .wrong("sub", "can't be there together with person")
        case (nil, nil):
            throw .wrong("person", "is missing, and so is sub")
        }
    }

    private static func defect(_ fields: FieldReader) throws(ControlRefusal) -> NotificationDefect?
    {
        guard let name = try fields.optionalText("malformed") else { return nil }
        guard let defect = NotificationDefect(rawValue: name) else {
            let known = NotificationDefect.allCases.map(\.rawValue).joined(separator: ", ")
            throw .wrong("malformed", "must be one of \(known)")
        }
        return defect
    }
}
