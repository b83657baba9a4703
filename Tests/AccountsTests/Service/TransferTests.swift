import Accounts
import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import ServerTestSupport
import SignInWithApple
import Testing

/// An app goes to another team while people sign in.
@Suite("Users of an app that moves to another team", AccountsWorld.lending)
struct TransferTests {
    private let world: AccountsWorld
    init() throws { world = try AccountsWorld.lent.0 }

    private static let app: ClientID = "com.example.juice"
    private static let recipient: TeamID = "OTHERTEAM1"

    private func request(team: TeamID) async throws -> SignInRequest {
        let apple = try world.apple.signIn(clientIDs: [Self.app], teamID: team)
        return try await world.nativeRequest(of: apple, hidesEmail: true)
    }

    /// Maya has an account, and the app goes to the recipient.
    private func moveApp() async throws -> (AccountsService, SignInReceipt) {
        var world = world
        world.configuration.teamID = Self.recipient
        let service = world.service()
        let before = try await service.signIn(request(team: "JUICETEAM1"))
        let old = try #require(before.account.apple?.person)
        let migration = try world.apple.signIn(clientIDs: [Self.app], teamID: "JUICETEAM1")
            .migration(of: Self.app)
        let identifier = try await migration.transferIdentifier(for: old.user, to: Self.recipient)
        let step = AppleTransferStep.begin(old, identifier: identifier, team: Self.recipient)
        #expect(try await service.transfer(step, by: "test") == .done)
        #expect(try await service.credentialState(of: before.account) == .transferred)

        _ = try await world.apple.emulator.transfer([
            "client_id": .string(Self.app.rawValue), "to_team": "OTHERTEAM1",
        ])
        return (service, before)
    }

    @Test("find their account by the identifier in their token, before a migration")
    func signInFirst() async throws {
        let (service, before) = try await moveApp()
        let after = try await service.signIn(request(team: Self.recipient))
        #expect(!after.isNewAccount)
        #expect(after.account.id == before.account.id)
        #expect(after.account.apple?.person.user != before.account.apple?.person.user)
        #expect(after.account.email != before.account.email)
        #expect(try await service.credentialState(of: after.account) == .authorized)
        // The former team's refresh token is gone, the recipient's is there.
        #expect(try await service.export(of: after.session).refreshTokens.count == 1)
    }

    @Test("are reported when they get a second account, because their identifiers are unknown")
    func unknownIdentifier() async throws {
        var world = world
        world.configuration.teamID = Self.recipient
        let service = world.service()
        let before = try await service.signIn(request(team: "JUICETEAM1"))
        _ = try await world.apple.emulator.transfer([
            "client_id": .string(Self.app.rawValue), "to_team": "OTHERTEAM1",
        ])
        let words = "a sign-in with an unknown transfer identifier created an account"
        #expect(!world.log.text.contains(words))
        let after = try await service.signIn(request(team: Self.recipient))
        #expect(after.account.id != before.account.id)
        #expect(world.log.text.contains(words))
    }

    @Test("find their account by an identity token alone, without a code")
    func signInWithoutCode() async throws {
        let (service, before) = try await moveApp()
        let request = try await request(team: Self.recipient)
        let after = try await service.onSignIn(service.check(request), grant: nil)
        #expect(!after.isNewAccount)
        #expect(after.account.id == before.account.id)
        #expect(try await service.credentialState(of: after.account) == .authorized)
    }

    @Test("may link their Apple Account again at once")
    func linkFirst() async throws {
        let (service, before) = try await moveApp()
        let linked = try await service.link(request(team: Self.recipient), to: before)
        #expect(linked.id == before.account.id)
        #expect(linked.apple?.person.user != before.account.apple?.person.user)
    }

    @Test("are distinguished from those of the former team")
    func giver() async throws {
        var world = world
        world.configuration.teamID = "JUICETEAM1"
        let service = world.service()
        let maya = try await service.signIn(request(team: "JUICETEAM1")).account
        let step = AppleTransferStep.begin(
            try #require(maya.apple?.person),
            identifier: "between",
            team: Self.recipient
        )
        #expect(try await service.transfer(step, by: "test") == .done)
        #expect(try await service.credentialState(of: maya) == .authorized)
    }
}
