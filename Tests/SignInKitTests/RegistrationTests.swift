import AppleEmulatorTesting
import AppleIdentity
import Foundation
import SimulatedAuthenticationServices
import TestSupport
import Testing

@testable import SignInKit

@Suite("Apple's answer is kept until the server has it", AppWorld.lending) struct RegistrationTests
{
    private let world: AppWorld
    init() throws { world = try AppWorld.lending.value }

    /// The first sign-in, with a name that Apple tells once, while the network is like this.
    private func beginRegistration(
        _ world: AppWorld,
        _ network: RouterTransport.Network
    ) async throws -> SignInClient {
        let client = try await world.launchStarted()
        world.transport.network = network
        world.device.script(.continue())
        #expect(try await kind { try await client.signInWithApple() } == .registrationPending)
        return client
    }

    @Test("With a dead network the name is kept, and sent once at the next launch")
    func dead() async throws {
        let client = try await beginRegistration(world, .dead)
        #expect(await client.state == .needsAttention(.registrationPending))
        let kept = try await world.registrations()
        #expect(kept.map(\.name?.displayName) == ["Maya Lindgren"])
        world.transport.network = .up
        let sent = world.transport.count("POST", "/api/sessions/apple")
        let launched = try await world.launchStarted()
        let person = try #require(await launched.person)
        #expect(person.account.name == "Maya Lindgren" && person.isConfirmed)
        #expect(world.transport.count("POST", "/api/sessions/apple") == sent + 1)
        #expect(try await world.registrations().isEmpty)
        await launched.start()
        #expect(world.transport.count("POST", "/api/sessions/apple") == sent + 1)
        #expect(try await world.counts() == Counts(accounts: 1, sessions: 1))
    }

    @Test("While the app runs it is sent again, after the wait that the server asks for")
    func followUp() async throws {
        let busy = RouterTransport.Network.answers(status: 503, headers: ["Retry-After": "90"])
        let client = try await beginRegistration(world, busy)
        world.transport.network = .up
        try await waitUntil { world.time.sleeperCount > 0 }
        world.time.advance(bySeconds: 89)
        #expect(world.time.sleeperCount == 1)
        world.time.advance(bySeconds: 1)
        for await state in client.states {
            guard case .signedIn(let person) = state else { continue }
            #expect(person.account.name == "Maya Lindgren")
            break
        }
    }

    @Test("A crash after the server's answer is lost makes no second account, and the name stays")
    func lostAnswer() async throws {
        _ = try await beginRegistration(world, .losesAnswers)
        #expect(try await world.counts().accounts == 1)
        world.transport.network = .up
        let launched = try await world.launchStarted()
        #expect(await launched.state == .signedOut())
        #expect(try await world.registrations().isEmpty)
        world.device.script(.continue())
        #expect(try await launched.signInWithApple().account.name == "Maya Lindgren")
        #expect(try await world.counts().accounts == 1)
    }

    @Test("When the token is too old, the name goes along with the person's next sign-in")
    func expired() async throws {
        _ = try await beginRegistration(world, .dead)
        world.transport.network = .up
        world.apple.advance(by: .seconds(3 * 86_400))
        let launched = try await world.launchStarted()
        #expect(await launched.state == .signedOut())
        let kept = try #require(try await world.registrations().first)
        #expect(kept.isExpired && kept.name?.displayName == "Maya Lindgren")
        world.device.script(.continue())
        #expect(try await launched.signInWithApple().account.name == "Maya Lindgren")
        #expect(try await world.registrations().isEmpty)
    }

    @Test("A name is never given to another person") func otherPerson() async throws {
        let client = try await beginRegistration(world, .dead)
        world.transport.network = .up
        try await world.device.signIn(email: AppWorld.noah, password: "apple")
        world.device.script(.continue(name: PersonName(givenName: "Noah")))
        #expect(try await client.signInWithApple().account.name == "Noah")
        let kept = try await world.registrations()
        #expect(kept.map(\.name?.displayName) == ["Maya Lindgren"])
        #expect(kept.map(\.isExpired) == [true])
    }

    @Test("What the server wants back with the same request is sent along")
    func resume() async throws {
        let client = try world.launch()
        try await world.setServerStore(isReadOnly: true)
        world.device.script(.continue())
        #expect(try await kind { try await client.signInWithApple() } == .registrationPending)
        #expect(try await world.registrations().first?.resumeToken != nil)
        try await world.setServerStore(isReadOnly: false)
        let launched = try await world.launchStarted()
        #expect(await launched.person?.account.name == "Maya Lindgren")
        let last = try #require(
            world.transport.requests.last { $0.url.path() == "/api/sessions/apple" }?.body
        )
        #expect(try JSONObject(parsing: last)["resumeToken"] != nil)
    }

    @Test("One registration is never under way twice") func once() async throws {
        _ = try await beginRegistration(world, .dead)
        world.transport.network = .up
        let sent = world.transport.count("POST", "/api/sessions/apple")
        let gate = world.transport.holdRegistrations()
        let launched = try world.launch()
        async let first: Void = launched.start()
        async let second: Void = launched.start()
        await world.transport.arrival.wait()
        gate.send()
        _ = await (first, second)
        #expect(world.transport.count("POST", "/api/sessions/apple") == sent + 1)
        #expect(await launched.person != nil)
    }

    @Test("A second client on the same store takes the session that the first one opened")
    func twoClients() async throws {
        let second = try await beginRegistration(world, .dead)
        world.transport.network = .up
        let first = try await world.launchStarted()
        await second.start()
        #expect(await second.person?.account == first.person?.account)
        #expect(try await world.counts() == Counts(accounts: 1, sessions: 1))
    }

    @Test("Who signs out while the answer waits is not signed in by it")
    func signedOut() async throws {
        let client = try await beginRegistration(world, .dead)
        await client.signOut()
        #expect(await client.state == .signedOut(.byUser))
        world.transport.network = .up
        let launched = try await world.launchStarted()
        #expect(await launched.state == .signedOut())
        #expect(try await world.registrations().map(\.isExpired) == [true])
    }

    @Test("A session that arrives after the sign-out is ended")
    func signedOutMeanwhile() async throws {
        let client = try world.launch()
        let gate = world.transport.holdRegistrations()
        world.device.script(.continue())
        async let signedIn = kind { try await client.signInWithApple() }
        await world.transport.arrival.wait()
        await client.signOut()
        gate.send()
        let refusal = try await signedIn
        #expect(refusal == .canceled)
        #expect(await client.state == .signedOut(.byUser))
        try await world.untilInTime { try await world.counts().sessions == 0 }
    }

    @Test("A name that is too long is cut, because Apple tells no other")
    func longName() async throws {
        let client = try world.launch()
        let long = PersonName(
            givenName: String(repeating: "a", count: 150),
            familyName: String(repeating: "b", count: 150)
        )
        world.device.script(.continue(name: long))
        _ = try await client.signInWithApple()
        let name = try #require(await client.person?.account.name)
        #expect(name.hasPrefix("aaa") && name.hasSuffix("bbb") && name.count <= 200)
    }
}
