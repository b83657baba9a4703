import AppleIdentity
import Foundation
import SimulatedAuthenticationServices
import TestSupport
import Testing

@testable import SignInKit

@MainActor @Suite("A session with a slow server", AppWorld.lending) struct SlowServerTests {
    private let world: AppWorld
    init() throws { world = try AppWorld.lending.value }

    @Test(
        "The launch does not wait for it, with or without the Apple Account on the device",
        arguments: [true, false]
    )
    func launch(hasAppleAccount: Bool) async throws {
        _ = try await world.launchSignedIn()
        if !hasAppleAccount { world.device.signOut() }
        world.transport.isSlow = true
        let session = try await world.startedSession()
        #expect(session.hasStarted)
        #expect(session.person?.isConfirmed == false)
        #expect(session.person?.account.name == "Maya Lindgren")
        world.transport.isSlow = false
        try await waitUntil { session.person?.isConfirmed == true }
    }

    @Test("The launch waits a second for a device that does not answer")
    func silentDevice() async throws {
        _ = try await world.launchSignedIn()
        let device = SilentDevice()
        let session = SignInSession(client: try world.launch(authorization: device))
        async let started: Void = session.start()
        try await waitUntil { world.time.sleeperCount > 0 }
        #expect(!session.hasStarted)
        world.time.advance(bySeconds: 1)
        await started
        #expect(session.person != nil)
        device.answer.send()
        try await waitUntil { session.state == .signedOut(.revoked) }
    }

    @Test("Nothing of a user who stopped using the app is shown")
    func revoked() async throws {
        _ = try await world.launchSignedIn()
        try await world.device.stopUsing(AppWorld.app)
        let client = try world.launch()
        let states = client.states
        await client.start()
        var first: SignInState?
        for await state in states {
            first = state
            break
        }
        #expect(first == .signedOut(.revoked))
    }

    @Test("The first state of a signed-in user is signed in")
    func firstState() async throws {
        _ = try await world.launchSignedIn()
        let client = try world.launch()
        var states = client.states.makeAsyncIterator()
        #expect(await client.state == .starting)
        await client.start()
        guard case .signedIn = await states.next() else {
            Issue.record("a signed-in user begins signed out")
            return
        }
    }

    @Test("A sign-out is done when the device has forgotten the user")
    func signOut() async throws {
        let session = try await world.startedSession()
        world.device.script(.continue())
        await session.signInWithApple()
        world.transport.isSlow = true
        await session.signOut()
        #expect(session.state == .signedOut(.byUser) && session.error == nil)
        #expect(try await world.counts().sessions == 1)
        world.transport.isSlow = false
        try await waitUntil { try await world.counts().sessions == 0 }
    }

    @Test("A cancelled task shows nothing")
    func cancelled() async throws {
        _ = try await world.launchSignedIn()
        let client = try world.launch(transport: CancelledTransport())
        let session = SignInSession(client: client)
        await session.perform { try await $0.rename(to: "Mia") }
        #expect(session.error == nil)
        #expect(try await kind { try await client.refreshAccount() } == .canceled)
    }

    @Test("Twenty calls send one request for the account, and one for a service's token")
    func storms() async throws {
        let client = try await world.launchSignedIn()
        world.transport.isSlow = true
        let counts = (
            world.transport.count("GET", "/api/account"),
            world.transport.count("POST", "/api/tokens")
        )
        async let people = withThrowingTaskGroup { group in
            for _ in 0..<20 { group.addTask { try await client.refreshAccount().account.id } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        async let tokens = withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { try await client.accessToken(for: AppWorld.service) }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        try await waitUntil {
            world.transport.count("POST", "/api/tokens") > counts.1
                && world.transport.count("GET", "/api/account") > counts.0
        }
        world.transport.isSlow = false
        let counted = try await (people.count, tokens.count)
        #expect(counted == (1, 1))
        #expect(world.transport.count("GET", "/api/account") == counts.0 + 1)
        #expect(world.transport.count("POST", "/api/tokens") == counts.1 + 1)
    }

    @Test("Activations ask for the account once a minute, and the device each time")
    func activations() async throws {
        let session = try await world.startedSession()
        world.device.script(.continue())
        await session.signInWithApple()
        let count = world.transport.count("GET", "/api/account")
        for _ in 0..<3 { await session.refresh(isActivation: true) }
        #expect(world.transport.count("GET", "/api/account") == count)
        world.time.advance(bySeconds: 61)
        for _ in 0..<3 { await session.refresh(isActivation: true) }
        #expect(world.transport.count("GET", "/api/account") == count + 1)
        try await world.device.stopUsing(AppWorld.app)
        await session.refresh(isActivation: true)
        #expect(session.state == .signedOut(.revoked))
    }

    @Test("The device's credentials are offered once, and not after a deletion")
    func offer() async throws {
        world.device.store(password: "seven ripe oranges", for: "maya")
        world.device.script(.usePassword)
        let session = try await world.startedSession()
        #expect(await session.offerCredentialsOnce()?.user == "maya")
        #expect(await session.offerCredentialsOnce() == nil)
        world.device.script(.continue())
        await session.signInWithApple()
        await session.deleteAccount()
        #expect(session.state == .signedOut(.deleted))
        let shown = world.device.shownSheets.count
        #expect(await session.offerCredentialsOnce() == nil)
        let failing = SignInSession(client: try world.launch(authorization: SilentDevice()))
        await failing.start()
        #expect(await failing.offerCredentialsOnce() == nil)
        #expect(failing.error == nil)
        #expect(world.device.shownSheets.count == shown)
    }
}

/// A device that knows that the user has stopped using the app, and takes its time to say so.
private struct SilentDevice: AuthorizationService {
    let answer = Signal()

    func authorize(
        _ request: AuthorizationRequest
    ) async throws(AuthorizationFailure) -> AuthorizedCredential {
        throw AuthorizationFailure(.failed)
    }

    func credentialState(of user: UserID) async -> CredentialState {
        await answer.wait()
        return .revoked
    }

    var revocations: AsyncStream<Void> { AsyncStream { $0.finish() } }
}

private struct CancelledTransport: ServerTransport {
    func send(_ request: ServerRequest) async throws(TransportFailure) -> ServerAnswer {
        throw .cancelled
    }
}
