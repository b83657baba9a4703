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

extension SeedTeam {
    init(_ object: JSONObject) throws(ControlRefusal) {
        let fields = try FieldReader(object, known: ["team_id", "name", "individual"])
        let teamID = try fields.optionalText("team_id").map { TeamID($0) }
        guard teamID?.isWellFormed != false else {
            throw .wrong("team_id", "must be ten capital letters or digits")
        }
        self.init(
            teamID: teamID,
            name: try fields.optionalText("name"),
            isIndividual: try fields.boolean("individual", default: false)
        )
    }

    var object: JSONObject {
        var object: JSONObject = ["team_id": .string(teamID.rawValue)]
        object["name"] = name.map { .string($0) }
        if isIndividual { object["individual"] = true }
        return object
    }
}
