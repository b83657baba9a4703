import AppleIdentity

/// An app or a Services ID, with all that its registration implies.
struct RegisteredClient: Hashable {
    let clientID: ClientID
    let teamID: TeamID
    /// The primary app of the group, for which consent is asked.
    let group: ClientID
    /// What people see.
    let name: String
    /// The redirect addresses; none for an app.
    let returnURLs: [String]
    /// Whether it is a Services ID, for the web.
    let isService: Bool
}
