import AppleIdentity
import SimulatedAuthenticationServices
import TestSupport
import Testing

@testable import SignInKit

@Suite("Secure tasks", AppWorld.lending) struct SecureTaskTests {
    private let world: AppWorld
    init() throws { world = try AppWorld.lending.value }

    @Test("It runs for the person who is signed in, without a sheet") func runs() async throws {
        let client = try await world.launchSignedIn()
        #expect(try await client.performSecureTask { "done" } == "done")
        #expect(world.device.shownSheets.count == 1)
    }

    @Test("Without a session nothing runs") func nobody() async throws {
        let client = try world.launch()
        let ran = LockedValue(false)
        let refusal = try await kind {
            try await client.performSecureTask { ran.withLock { $0 = true } }
        }
        #expect(refusal == .notSignedIn && !ran.withLock { $0 })
    }

    @Test("Who stopped using the app is refused and forgotten") func revoked() async throws {
        let client = try await world.launchSignedIn()
        world.device.switches.credentialStates = .alwaysRevoked
        #expect(try await kind { try await client.performSecureTask { 1 } } == .revoked)
        #expect(await client.state == .signedOut(.revoked))
        #expect(try await !world.keeps(.userIdentifier))
    }

    @Test(
        "A revocation that is heard of at the same moment is one, whatever the device says",
        arguments: [.revoked, .authorized, .unknown("it can't tell")] as [CredentialState]
    )
    func revokedAtTheSameMoment(answer: CredentialState) async throws {
        _ = try await world.launchSignedIn()
        let authorization = HeldAuthorization(answer: answer)
        let client = try world.launch(authorization: authorization)
        async let refusal = kind { try await client.performSecureTask { 1 } }
        await authorization.arrival.wait()
        // The launch looks as well, and finds the revocation while the other answer is on its way.
        await client.start()
        authorization.gate.send()
        #expect(try await refusal == .revoked)
        #expect(await client.state == .signedOut(.revoked))
    }

    @Test("A revocation while it runs cancels it") func revokedMeanwhile() async throws {
        let client = try await world.launchSignedIn()
        let begun = Signal()
        let wasCancelled = LockedValue(false)
        async let result = kind {
            try await client.performSecureTask {
                begun.send()
                await Signal().wait()
                wasCancelled.withLock { $0 = Task.isCancelled }
            }
        }
        await begun.wait()
        try await world.device.stopUsing(AppWorld.app)
        let refusal = try await result
        #expect(refusal == .revoked)
        #expect(wasCancelled.withLock { $0 })
    }

    @Test("What the task throws comes through") func failing() async throws {
        struct Spilled: Error {}
        let client = try await world.launchSignedIn()
        await #expect(throws: Spilled.self) {
            try await client.performSecureTask { throw Spilled() }
        }
        #expect(await client.person != nil)
    }

    @Test("A fresh sign-in shows the sheet, and replaces the session") func fresh() async throws {
        let client = try await world.launchSignedIn()
        world.device.script(.continue())
        #expect(try await client.performSecureTask(requiresFreshSignIn: true) { 2 } == 2)
        #expect(world.device.shownSheets.count == 2)
        #expect(try await world.counts() == Counts(accounts: 1, sessions: 1))
        world.device.script(.cancel)
        #expect(
            try await kind {
                try await client.performSecureTask(requiresFreshSignIn: true) { 2 }
            } == .canceled
        )
        #expect(await client.person != nil)
    }

    @Test("When nobody can tell, a person who was confirmed a short while ago goes on")
    func unknown() async throws {
        _ = try await world.launchSignedIn()
        let client = try world.launch(authorization: UnknowingAuthorization())
        // The server knows.
        #expect(try await client.performSecureTask { 3 } == 3)
        world.transport.network = .dead
        #expect(try await client.performSecureTask { 3 } == 3)
        world.time.advance(bySeconds: 16 * 60)
        #expect(try await kind { try await client.performSecureTask { 3 } } == .serverUnreachable)
        world.time.advance(bySeconds: -86_400)
        #expect(try await kind { try await client.performSecureTask { 3 } } == .serverUnreachable)
        world.transport.network = .up
        #expect(try await client.performSecureTask { 3 } == 3)
    }
}

/// A simulator, which knows no credential states.
private struct UnknowingAuthorization: AuthorizationService {
    func authorize(
        _ request: AuthorizationRequest
    ) async throws(AuthorizationFailure) -> AuthorizedCredential {
        throw AuthorizationFailure(.canceled)
    }

    func credentialState(of user: UserID) async -> CredentialState { .unknown("a simulator") }

    var revocations: AsyncStream<Void> { AsyncStream { $0.finish() } }
}

/// Holds its first answer back; each later one is that the person stopped using the app.
private final class HeldAuthorization: AuthorizationService {
    let arrival = Signal()
    let gate = Signal()
    private let answer: CredentialState
    private let wasAsked = LockedValue(false)

    init(answer: CredentialState) {
        self.answer = answer
    }

    func authorize(
        _ request: AuthorizationRequest
    ) async throws(AuthorizationFailure) -> AuthorizedCredential {
        throw AuthorizationFailure(.canceled)
    }

    func credentialState(of user: UserID) async -> CredentialState {
        let isFirst = wasAsked.withLock { wasAsked in
            defer { wasAsked = true }
            return !wasAsked
        }
        guard isFirst else { return .revoked }
        arrival.send()
        await gate.wait()
        return answer
    }

    var revocations: AsyncStream<Void> { AsyncStream { $0.finish() } }
}
