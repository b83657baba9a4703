import AppleIdentity

/// The domains and addresses that teams registered as sources of their mail.
struct MailSourceStore {
    /// How many an organization may register.
    static let maximumCount = 100
    /// How many a team of one person may register.
    static let maximumIndividualCount = 32

    private var sources: [TeamID: [SeedMailSource]] = [:]

    var all: [SeedMailSource] {
        sources.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap(\.value)
    }

    mutating func add(
        _ source: SeedMailSource,
        teams: [TeamID: SeedTeam]
    ) throws(ControlRefusal) -> AddOutcome {
        guard let team = teams[source.teamID] else {
            throw .wrong("team_id", "names no registered team")
        }
        let known = sources[source.teamID, default: []]
        if let same = known.first(where: { $0.place == source.place }) {
            guard same == source else {
                throw .conflict(
                    source.place.fieldName,
                    "\(source.place.text) is there already, with another authentication"
                )
            }
            return AddOutcome(object: same.object, isNew: false)
        }
        let maximumCount = team.isIndividual ? Self.maximumIndividualCount : Self.maximumCount
        guard known.count < maximumCount else {
            throw .conflict(
                source.place.fieldName,
                "is one more than the \(maximumCount) of a team"
            )
        }
        sources[source.teamID, default: []].append(source)
        return AddOutcome(object: source.object, isNew: true)
    }

    /// The team's source that an address belongs to; one of exactly that address comes first.
    func source(of address: MailAddress?, teamID: TeamID) -> SeedMailSource? {
        guard let address else { return nil }
        let known = sources[teamID, default: []]
        return known.first { $0.place == .address(address.key) }
            ?? known.first { $0.place == .domain(address.domain.lowercased()) }
    }
}
