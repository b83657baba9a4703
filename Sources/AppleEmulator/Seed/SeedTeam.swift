import AppleIdentity

/// A developer team.
public struct SeedTeam: Hashable, Sendable {
    /// The team's ten characters.
    public var teamID: TeamID
    /// What the team is called.
    public var name: String?
    /// Whether the team is one person, who may register fewer return URLs and sources of mail.
    public var isIndividual: Bool

    /// Makes a team; without an identifier it gets one.
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
            .identifier.checked("must be ten capital letters or digits", \.isWellFormed)
        ),
        .optional("name", \.name, .text),
        .usual("individual", \.isIndividual, .boolean, isWritten: \.self)
    )
}
