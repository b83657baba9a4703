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
    static let schema = ObjectSchema(
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
