import AppleEmulator
import AppleIdentity
import Testing

@Suite("The identifier of a transfer in tokens") struct TransferClaimTests {
    private static let other = "OTHERTEAM1"

    private func box(_ change: (inout Seed) -> Void = { _ in }) async throws -> Box {
        try await Box { seed in
            seed.teams.append(SeedTeam(teamID: TeamID(Self.other)))
            change(&seed)
        }
    }

    private func transfer(_ box: Box) async throws {
        _ = try await box.apple.transfer([
            "client_id": .string(Box.app), "to_team": .string(Self.other),
        ])
    }

    @Test("The transfer identifier begins like the sub, and stands behind the time of sign-in")
    func form() async throws {
        let box = try await box()
        _ = try await box.apple.add(
            .app,
            ["client_id": "com.example.two", "team_id": .string(Box.team)]
        )
        _ = try await box.credentials(["client_id": "com.example.two"])
        try await transfer(box)
        let token = TokenText(try await box.credentials()["identity_token"]?.stringValue ?? "")
        let end = " auth_time transfer_sub nonce_supported real_user_status"
        #expect(token.names.hasSuffix(end), "\(token.names)")
        let between = token.claims["transfer_sub"]?.stringValue ?? ""
        #expect(between.wholeMatch(of: /\d{6}\.r[0-9a-f]{32}/) != nil, "\(between)")
        #expect(token.claims["sub"]?.stringValue?.prefix(7) == between.prefix(7))
    }

    @Test("A managed account moves by an identifier of the same form") func managed() async throws {
        let box = try await box { $0.people[0].isManaged = true }
        _ = try await box.credentials()
        try await transfer(box)
        let token = TokenText(try await box.credentials()["identity_token"]?.stringValue ?? "")
        let between = token.claims["transfer_sub"]?.stringValue ?? ""
        #expect(between.wholeMatch(of: /\d{6}\.r[0-9a-f]{32}/) != nil, "\(between)")
    }
}
