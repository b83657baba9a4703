import AppleEmulatorTesting
import AppleIdentity
import SimulatedAuthenticationServices
import TestSupport
import Testing

@testable import SignInKit

@Suite("A device that can't keep Apple's answer", AppWorld.lending) struct UnsavedRegistrationTests
{
    private let world: AppWorld
    init() throws { world = try AppWorld.lending.value }

    private static let unsaved = SignInState.needsAttention(.registrationUnsaved)
    private static let pending = SignInState.needsAttention(.registrationPending)

    /// A client whose store fails like this while the sheet is on the screen.
    private func launch(
        _ world: AppWorld,
        _ network: RouterTransport.Network,
        failing fail: @escaping @Sendable () -> Void
    ) async throws -> SignInClient {
        let client = try await world.launchStarted()
        world.transport.network = network
        world.device.sheet = AgreeingPerson(meanwhile: fail)
        return client
    }

    @Test("A full store is told before the sheet opens, and nothing is lost")
    func before() async throws {
        let client = try await world.launchStarted()
        world.credentials.isFull = true
        #expect(try await kind { try await client.signInWithApple() } == .credentialsUnavailable)
        #expect(world.device.shownSheets.isEmpty)
        #expect(await client.state == .signedOut())
        world.credentials.isFull = false
        world.device.script(.continue())
        #expect(try await client.signInWithApple().account.name == "Maya Lindgren")
    }

    @Test("The answer of another client on the same store outlives the look at the store")
    func otherClient() async throws {
        let other = try await world.launchStarted()
        let client = try await launch(world, .dead) {}
        #expect(try await kind { try await client.signInWithApple() } == .registrationPending)
        world.device.script(.cancel)
        #expect(try await kind { try await other.signInWithApple() } == .canceled)
        #expect(try await world.registrations().map(\.name?.displayName) == ["Maya Lindgren"])
    }

    @Test("A store that fails after Apple's answer does not keep it from the server")
    func serverUp() async throws {
        let client = try await launch(world, .up) { world.credentials.isFull = true }
        #expect(try await client.signInWithApple().account.name == "Maya Lindgren")
        #expect(try await world.counts() == Counts(accounts: 1, sessions: 1))
        #expect(await client.person?.isConfirmed == true)
    }

    @Test("With a dead server as well the state says so, until the store has the answer")
    func storeFirst() async throws {
        let client = try await launch(world, .dead) { world.credentials.isFull = true }
        #expect(try await kind { try await client.signInWithApple() } == .registrationUnsaved)
        #expect(await client.state == Self.unsaved)
        #expect(try await world.registrations().isEmpty)
        world.credentials.isFull = false
        try await world.untilInTime { await client.state == Self.pending }
        #expect(try await world.registrations().map(\.name?.displayName) == ["Maya Lindgren"])
        world.transport.network = .up
        let sent = world.transport.count("POST", "/api/sessions/apple")
        let launched = try await world.launchStarted()
        #expect(await launched.person?.account.name == "Maya Lindgren")
        #expect(world.transport.count("POST", "/api/sessions/apple") == sent + 1)
    }

    @Test("Or until the server has it") func serverFirst() async throws {
        let client = try await launch(world, .dead) { world.credentials.isFull = true }
        #expect(try await kind { try await client.signInWithApple() } == .registrationUnsaved)
        world.transport.network = .up
        try await world.untilInTime { await client.person?.isConfirmed == true }
        #expect(await client.person?.account.name == "Maya Lindgren")
        #expect(try await world.counts() == Counts(accounts: 1, sessions: 1))
        #expect(try await world.registrations().isEmpty)
    }

    @Test("A device that is locked meanwhile has the answer as soon as the app comes back")
    func locked() async throws {
        let client = try await launch(world, .dead) { world.credentials.isLocked = true }
        #expect(try await kind { try await client.signInWithApple() } == .registrationUnsaved)
        await client.start()
        #expect(await client.state == Self.unsaved)
        world.credentials.isLocked = false
        await client.start()
        #expect(await client.state == Self.pending)
        #expect(try await world.registrations().map(\.isExpired) == [false])
    }

    @Test("Who signs out meanwhile is signed in by nothing, and the name is kept all the same")
    func signedOut() async throws {
        let client = try await launch(world, .dead) { world.credentials.isFull = true }
        #expect(try await kind { try await client.signInWithApple() } == .registrationUnsaved)
        await client.signOut()
        #expect(await client.state == .signedOut(.byUser))
        world.credentials.isFull = false
        try await world.untilInTime { try await !world.registrations().isEmpty }
        let kept = try await world.registrations()
        #expect(kept.map(\.isExpired) == [true])
        #expect(kept.map(\.name?.displayName) == ["Maya Lindgren"])
    }
}

/// Agrees to every sheet, while something happens to the device.
private struct AgreeingPerson: SheetPresenter {
    let meanwhile: @Sendable () -> Void

    func present(_ sheet: AuthorizationSheet) async -> SheetAnswer {
        meanwhile()
        return .continue()
    }
}
