import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import SignInWithApple

/// The app of the demo, its team, and the team to which it is transferred.
enum TwoTeams {
    static let app: ClientID = "com.example.juice"
    static let giver: TeamID = "JUICETEAM1"
    static let recipient: TeamID = "OTHERTEAM1"

    /// The body for the control API that transfers the app.
    static let transfer: JSONObject = [
        "client_id": .string(app.rawValue), "to_team": .string(recipient.rawValue),
    ]

    /// The demo with the other team and further users, person0@example.com and so on.
    static func seed(personCount: Int = 0) -> Seed {
        var seed = Seed.demo()
        seed.teams.append(SeedTeam(teamID: recipient))
        seed.people += (0..<personCount).map { SeedPerson(email: "person\($0)@example.com") }
        return seed
    }
}

extension TestApple {
    func migration(of team: TeamID) throws -> UserMigration {
        try signIn(clientIDs: [TwoTeams.app], teamID: team).migration(of: TwoTeams.app)
    }

    func transfer() async throws { _ = try await emulator.transfer(TwoTeams.transfer) }
}
