import AppleEmulator
import AppleIdentity
import Testing

// Fidelity: registration-5, redirect-1, redirect-2, redirect-7
@Suite("The seed") struct SeedTests {
    private static let whole = """
        teams:
          - team_id: ABCDE12345
            name: Makers
        apps:
          - client_id: com.example.one
            team_id: ABCDE12345
        services:
          - client_id: com.example.one.web
            primary_client_id: com.example.one
            return_urls: ["https://one.example.com/back"]
        people:
          - email: maya@example.com
            given_name: Maya
            two_factor: false
        """

    @Test("YAML is read") func yaml() throws {
        let seed = try Seed(yaml: Self.whole)
        #expect(seed.teams == [SeedTeam(teamID: "ABCDE12345", name: "Makers")])
        #expect(seed.services.first?.returnURLs == ["https://one.example.com/back"])
        #expect(seed.people.first?.hasTwoFactor == false)
        #expect(seed.people.first?.password == "apple")
    }

    @Test("A person keeps the user ID and the relay address of a seed") func identities()
        async throws
    {
        let identity = SeedIdentity(
            teamID: TeamID(Box.team),
            userID: "000123.0123456789abcdef0123456789abcdef.0815",
            relayAddress: "Kept1@privaterelay.appleid.com"
        )
        let box = try await Box { $0.people[0].identities = [identity] }
        let credential = try await box.credentials(["email": "hide", "scopes": ["email"]])
        #expect(credential["user"]?.stringValue == identity.userID?.rawValue)
        #expect(credential["email"]?.stringValue == identity.relayAddress)
        for (teams, field) in [
            ([["team_id": "NOTEAM0001"]], "teams"),
            (
                [
                    [
                        "team_id": .string(Box.team),
                        "user": "000123.0123456789abcdef0123456789abcdef.0815",
                    ]
                ], "teams"
            ),
            (
                [["team_id": .string(Box.team), "relay_email": "a@example.com"]],
                "teams[0].relay_email"
            ),
            (
                [["team_id": .string(Box.team)], ["team_id": .string(Box.team), "user": "1.a.2"]],
                "teams"
            ),
        ] as [(JSONValue, String)] {
            let refusal = await box.refusal(
                of: .person,
                ["email": "new@example.com", "teams": teams]
            )
            #expect(refusal?.field == field, "\(String(describing: refusal))")
        }
    }

    @Test("A seed's identities are checked with their line") func identityLine() {
        let seed = Self.whole + "\n    teams:\n      - team_id: NOTEAM0001\n"
        do {
            _ = try Seed(yaml: seed)
            Issue.record("the team is not registered")
        } catch {
            #expect(error.line == 15 && error.reason.contains("NOTEAM0001"))
        }
    }

    @Test("JSON is read too") func json() throws {
        let seed = try Seed(
            yaml: #"{"teams": [{"team_id": "ABCDE12345"}], "people": [{"email": "a@b.c"}]}"#
        )
        #expect(seed.teams.count == 1)
        #expect(seed.people.first?.email == "a@b.c")
    }

    @Test(
        "A mistake is named with its line",
        arguments: [
            ("  - team_id: ABCDE12345", "  - team_id: short", 2, "team_id must be ten"),
            ("    name: Makers", "    nmae: Makers", 3, "nmae is not a known field"),
            ("    name: Makers", "    name: 12", 3, "name must be a string"),
            ("    name: Makers", "    team_id: ABCDE12345", 2, "repeated"),
            ("people:", "persons:", 11, "persons is not a known section"),
            (
                "    two_factor: false", "    two_factor: maybe", 14,
                "two_factor must be true or false"
            ),
            ("  - email: maya@example.com", "  - email: maya", 12, "email must be an email"),
            (
                "https://one.example.com/back", "http://one.example.com/back", 10,
                "does not use https"
            ),
            ("https://one.example.com/back", "https://8.8.8.8/back", 10, "IP address"),
            ("https://one.example.com/back", "https://one.example.com/#a", 10, "fragment"),
            ("https://one.example.com/back", "com.example:/back", 10, "not an absolute URL"),
        ]
    )
    func mistakes(right: String, wrong: String, line: Int, reason: String) throws {
        let error = #expect(throws: SeedError.self) {
            try Seed(yaml: Self.whole.replacing(right, with: wrong))
        }
        #expect(error?.line == line)
        #expect(error?.reason.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test("Text that is not YAML is refused with a line") func notYAML() {
        let error = #expect(throws: SeedError.self) { try Seed(yaml: "teams:\n  - [") }
        #expect(error?.line != nil)
    }

    @Test("A seed that contradicts itself is refused at start") func contradiction() async {
        await #expect(throws: SeedError.self) { try await Box { $0.apps[0].teamID = "OTHERTEAM1" } }
        await #expect(throws: SeedError.self) {
            try await Box { $0.people.append(SeedPerson(email: "MAYA@example.com")) }
        }
    }
}
