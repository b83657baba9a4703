import AppleEmulator
import Foundation
import Testing

@Suite("A reused email address is another user") struct IdentityPersistenceTests {
    private static var keyed: EmulatorConfiguration {
        EmulatorConfiguration(identifierKey: Data(repeating: 7, count: 32))
    }

    private func user(_ box: Box) async throws -> String {
        try #require(try await box.credentials()["user"]?.stringValue)
    }

    private func comeBack(_ box: Box) async throws {
        try await box.apple.deletePerson(Box.maya)
        _ = try await box.apple.add(.person, ["email": .string(Box.maya)])
    }

    @Test("With a key, a person of the seed is the same one at each start and after a reset")
    func seeded() async throws {
        let users = [
            try await user(Box(configuration: Self.keyed)),
            try await user(Box(configuration: Self.keyed) { $0.people.reverse() }),
        ]
        #expect(users[0] == users[1])
        let box = try await Box(configuration: Self.keyed)
        try await comeBack(box)
        try await box.apple.reset()
        #expect(try await user(box) == users[0])
    }

    @Test("A deleted address that is registered again has another sub, with a key too")
    func deleted() async throws {
        let box = try await Box(configuration: Self.keyed)
        var users = [try await user(box)]
        for _ in 1...2 {
            try await comeBack(box)
            users.append(try await user(box))
        }
        try await box.apple.reset()
        try await comeBack(box)
        users.append(try await user(box))
        #expect(Set(users).count == users.count)
    }

    @Test("Who did not meet a team before an import is to it who they would have been")
    func later() async throws {
        let first = try await Box(configuration: Self.keyed)
        try await comeBack(first)
        let state = await first.apple.exported()
        let second = try await Box(importing: state, as: first, configuration: Self.keyed)
        #expect(try await user(second) == user(first))
    }

    @Test("A transfer returns another identifier too") func transfer() async throws {
        let box = try await Box(configuration: Self.keyed) { seed in seed.addOtherTeam() }
        var identifiers: [String] = []
        for team in ["OTHERTEAM1", Box.team, "OTHERTEAM1"] {
            _ = try await user(box)
            try await box.transfer(to: team)
            let state = try StateText(await box.apple.exported())
            identifiers += state.entries("transfer_subjects").compactMap {
                $0["to_team"] == "OTHERTEAM1" ? $0["transfer_sub"]?.stringValue : nil
            }
            try await comeBack(box)
        }
        #expect(Set(identifiers).count == 2, "\(identifiers)")
    }

    @Test("Numbers continue after all users are deleted, and no one inherits an inbox")
    func numbers() async throws {
        let first = try await Box()
        await first.mail(to: [Box.maya])
        try await first.apple.deletePerson(Box.maya)
        try await first.apple.deletePerson("noah@example.com")
        let second = try await first.restarted()
        _ = try await second.apple.add(.person, ["email": "new@example.com"])
        #expect(try await second.mailList("messages").count == 1)
        #expect(try await second.mailList("messages", of: "new@example.com").isEmpty)
    }
}
