import AppleEmulator
import AppleIdentity
import Testing

// Fidelity: mail-11
/// The mail sources of teams.
struct MailSourceTests {
    @Test func wrongSourcesAreRefused() async throws {
        let box = try await Box()
        let team: JSONObject = ["team_id": "JUICETEAM1"]
        let source = team.merging(["domain": "a.example"])
        await box.expectRefused([
            ([:], "team_id"), (team, "domain"),
            (source.merging(["team_id": "NOTATEAM11"]), "team_id"),
            (source.merging(["domain": "a b"]), "domain"),
            (source.merging(["domain": "[127.0.0.1]"]), "domain"),
            (source.merging(["domain": "-a.example"]), "domain"),
            (source.merging(["domain": "a..example"]), "domain"),
            (team.merging(["address": "a.example"]), "address"),
            (source.merging(["address": "b@a.example"]), "address"),
            (source.merging(["authentication": "dns"]), "authentication"),
        ]) { try await box.apple.add(.mailSource, $0) }
        await box.expectRefused([(source.merging(["spf": true]), "spf")], kind: .unknownField) {
            try await box.apple.add(.mailSource, $0)
        }
    }

    @Test func theSameIsThereOnce() async throws {
        let box = try await Box()
        let source: JSONObject = ["team_id": "JUICETEAM1", "domain": "A.example"]
        #expect(try await box.apple.add(.mailSource, source).isNew)
        let same: JSONObject = ["team_id": "JUICETEAM1", "domain": "a.EXAMPLE"]
        let again = try await box.apple.add(.mailSource, same)
        #expect(!again.isNew)
        var other = source
        other["authentication"] = "spf"
        #expect(await box.refusal(of: .mailSource, other)?.kind == .conflict)
    }

    @Test(arguments: [(false, 100), (true, 32)])
    func aTeamRegistersSoMany(isIndividual: Bool, maximumCount: Int) async throws {
        let box = try await Box { seed in
            seed.teams.append(SeedTeam(teamID: "OTHERTEAM1", isIndividual: isIndividual))
        }
        for number in 1...maximumCount + 1 {
            let refusal = await box.refusal(
                of: .mailSource,
                ["team_id": "OTHERTEAM1", "domain": .string("d\(number).example")]
            )
            #expect(refusal?.kind == (number > maximumCount ? .conflict : nil))
        }
    }

    @Test func seedsHaveThem() throws {
        let seed = try Seed(
            yaml: """
                teams: [{team_id: TEAM123456, individual: true}]
                mail_sources:
                  - {team_id: TEAM123456, domain: mail.example.com}
                  - {team_id: TEAM123456, address: a@example.org, authentication: spf}
                """
        )
        #expect(seed.teams.first?.isIndividual == true)
        let place = SeedMailSource.Place.address("a@example.org")
        #expect(
            seed.mailSources == [
                SeedMailSource(teamID: "TEAM123456", place: .domain("mail.example.com")),
                SeedMailSource(teamID: "TEAM123456", place: place, authentication: .spf),
            ]
        )
    }

    @Test(arguments: [
        ("mail_sources: [{team_id: TEAM123456, domain: a.example}]", 1),
        ("teams: [{team_id: TEAM123456}]\nmail_sources: [{team_id: TEAM123456}]", 2),
        ("mail_sources: {}", 1),
    ])
    func wrongSeedsNameTheLine(yaml: String, line: Int) {
        let error = #expect(throws: SeedError.self) { try Seed(yaml: yaml) }
        #expect(error?.line == line)
    }
}
