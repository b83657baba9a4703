import AppleIdentity

/// A notification requested on the control port, independent of a person's actions.
struct NotificationOrder: SchemaObject {
    private static let maximumTypeCount = 255
    /// The event type of a notification with the defect `unknown_type`.
    private static let unknownKind = NotificationEvent.Kind(rawValue: "something-new")

    private var type = ""
    private(set) var clientID: ClientID = ""
    private var person: String?
    private var userID: UserID?
    private(set) var email: String?
    private(set) var defect: NotificationDefect?
    private(set) var duplicateCount = 0
    private(set) var delaySeconds = 0

    static let schema = ObjectSchema(
        NotificationOrder(),
        .required("type", \.type, .text(maximumCount: maximumTypeCount)),
        .required("client_id", \.clientID, .identifier),
        .optional("person", \.person, .text(maximumCount: MailAddress.maximumByteCount)),
        .optional("sub", \.userID, .identifier),
        .optional("email", \.email, .text(maximumCount: MailAddress.maximumByteCount)),
        .optional("malformed", \.defect, .choice),
        .usual("duplicates", \.duplicateCount, NotificationSettings.duplicateCounts),
        .usual("delay_seconds", \.delaySeconds, NotificationSettings.delays)
    )

    var kind: NotificationEvent.Kind {
        defect == .unknownType ? Self.unknownKind : NotificationEvent.Kind(rawValue: type)
    }

    /// The person's identifier for the team, with their identity if they have one.
    func subject(
        teamID: TeamID,
        people: PeopleDirectory
    ) throws(ControlRefusal) -> (UserID, TeamIdentity?) {
        switch (person, userID) {
        case (let email?, nil):
            guard let person = people.person(email: email) else {
                throw .wrong("person", "is not the email address of a known user")
            }
            guard let identity = person.identities[teamID] else {
                throw .wrong(
                    "person",
                    "has used no app of the team \(teamID), which therefore has no sub for them"
                )
            }
            return (identity.userID, identity)
        case (nil, let userID?):
            let person = people.person(userID: userID, teamID: teamID)
            return (userID, person?.identities[teamID])
        case (.some, .some): throw .wrong("sub", "can't be combined with person")
        case (nil, nil): throw .wrong("person", "or sub is required")
        }
    }
}
