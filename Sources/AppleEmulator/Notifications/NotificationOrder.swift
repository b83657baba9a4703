import AppleIdentity

/// A notification that somebody asks for on the control port, whatever people did.
struct NotificationOrder: SchemaObject {
    private static let maximumTypeByteCount = 255
    /// The event of a notification that is malformed by an unknown type.
    private static let unknownKind = NotificationEvent.Kind(rawValue: "something-new")

    private var type = ""
    private(set) var clientID: ClientID = ""
    private var person: String?
    private var userID: UserID?
    private(set) var email: String?
    private(set) var defect: NotificationDefect?
    private(set) var duplicateCount = 0
    private(set) var delaySeconds = 0

    static let schema = Schema(
        NotificationOrder(),
        .required("type", \.type, .text(maximumByteCount: maximumTypeByteCount)),
        .required("client_id", \.clientID, .identifier),
        .optional("person", \.person, .address),
        .optional("sub", \.userID, .identifier),
        .optional("email", \.email, .address),
        .optional("malformed", \.defect, .choice),
        .usual("duplicates", \.duplicateCount, NotificationSettings.duplicateCounts),
        .usual("delay_seconds", \.delaySeconds, NotificationSettings.delays)
    )

    var kind: NotificationEvent.Kind {
        defect == .unknownType ? Self.unknownKind : NotificationEvent.Kind(rawValue: type)
    }

    /// Whom it is about, and how the team knows them if it does.
    func subject(
        teamID: TeamID,
        people: PeopleDirectory
    ) throws(ControlRefusal) -> (UserID, TeamIdentity?) {
        switch (person, userID) {
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
        case (.some, .some): throw .wrong("sub", "can't be there together with person")
        case (nil, nil): throw .wrong("person", "is missing, and so is sub")
        }
    }
}

extension ValueForm<String> {
    fileprivate static let address = text(maximumByteCount: MailAddress.maximumByteCount)
}
