import AppleIdentity

/// A developer team.
public struct SeedTeam: Hashable, Sendable {
    /// The team's ten characters.
    public var teamID: TeamID
    /// What the team is called.
    public var name: String?

    /// Makes a team; without an identifier it gets one.
    public init(teamID: TeamID? = nil, name: String? = nil) {
        self.teamID = teamID ?? TeamID(RandomText.identifier())
        self.name = name
    }
}

extension SeedTeam {
    init(_ object: JSONObject) throws(ControlRefusal) {
        let fields = try FieldReader(object, known: ["team_id", "name"])
        let teamID = try fields.optionalText("team_id").map { TeamID($0) }
        guard teamID?.isWellFormed != false else {
            throw .wrong("team_id", "must be ten capital letters or digits")
        }
        self.init(teamID: teamID, name: try fields.optionalText("name"))
    }

    var object: JSONObject {
        var object: JSONObject = ["team_id": .string(teamID.rawValue)]
        object["name"] = name.map { .string($0) }
        return object
    }
}
