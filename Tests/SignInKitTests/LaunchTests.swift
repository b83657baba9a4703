import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import SimulatedAuthenticationServices
import TestSupport
import Testing

@testable import SignInKit

@Suite("The launch of an app", AppWorld.lending) struct LaunchTests {
    private let world: AppWorld
    init() throws { world = try AppWorld.lending.value }

    @Test("Nobody is signed in, and no sheet is shown") func nobody() async throws {
        let client = try await world.launchStarted()
        #expect(await client.state == .signedOut())
        #expect(world.device.shownSheets.isEmpty && world.transport.requests.isEmpty)
    }

    @Test("Who was signed in is again, confirmed by the server") func again() async throws {
        _ = try await world.launchSignedIn()
        let launched = try await world.launchStarted()
        let person = try #require(await launched.person)
        #expect(person.isConfirmed && person.account.name == "Maya Lindgren")
        #expect(world.device.shownSheets.count == 1)
    }

    @Test("Without a network the app opens with what it knows, and confirms it later")
    func offline() async throws {
        _ = try await world.launchSignedIn()
        world.transport.network = .dead
        let launched = try await world.launchStarted()
        let person = try #require(await launched.person)
        #expect(!person.isConfirmed && person.account.name == "Maya Lindgren")
        world.transport.network = .up
        try await world.untilInTime { await launched.person?.isConfirmed == true }
    }

    @Test("Who stopped using the app while it was off is told so, and the session ends everywhere")
    func revokedWhileOff() async throws {
        _ = try await world.launchSignedIn()
        try await world.device.stopUsing(AppWorld.app)
        let launched = try await world.launchStarted()
        #expect(await launched.state == .signedOut(.revoked))
        #expect(try await !world.keeps(.userIdentifier))
        #expect(try await !world.keeps(.profile))
        #expect(try await world.counts().sessions == 0)
    }

    @Test("Who stops using the app while it runs is told at once")
    func revokedWhileRunning() async throws {
        let client = try await world.launchSignedIn()
        let states = client.states
        try await world.device.stopUsing(AppWorld.app)
        for await state in states where state == .signedOut(.revoked) { break }
        #expect(await client.person == nil)
    }

    @Test("A device that knows nothing of the person ends no session that the server has")
    func notFound() async throws {
        let client = try await world.launchSignedIn()
        world.device.signOut()
        await client.start()
        #expect(await client.person?.isConfirmed == true)
        let secret = try await client.performSecureTask { 7 }
        #expect(secret == 7)
        try await world.device.signIn(email: AppWorld.noah, password: "apple")
        await client.start()
        #expect(await client.person?.account.name == "Maya Lindgren")
        world.transport.network = .dead
        let launched = try await world.launchStarted()
        #expect(await launched.person?.account.name == "Maya Lindgren")
    }

    @Test(
        "What the device does not find is what the server tells",
        arguments: [
            ("revoked", .signedOut(.revoked)), ("notFound", .signedOut(.revoked)),
            ("transferred", .needsAttention(.transferred)), ("a state of later", nil),
        ] as [(String, SignInState?)]
    )
    func askedOfTheServer(told: String, expected: SignInState?) async throws {
        let known = try await world.launchSignedIn()
        let signedIn = await known.state
        world.device.signOut()
        let launched = try world.launch(
            transport: KnowingServer(server: world.transport, state: told)
        )
        await launched.start()
        #expect(await launched.state == expected ?? signedIn)
        let isKept = try await world.keeps(.userIdentifier)
        #expect(isKept == (expected != .signedOut(.revoked)))
    }

    @Test("A deleted Apple Account, of which the server was told, ends the session")
    func deleted() async throws {
        let client = try await world.launchSignedIn()
        try await world.apple.emulator.deletePerson(AppWorld.maya)
        let url = try #require(URL(string: AppWorld.server + "/apple/notifications"))
        let count = await world.apple.deliverNotifications { body in
            let headers = ["Content-Type": "application/json"]
            let request = ServerRequest(method: "POST", url: url, headers: headers, body: body)
            return try await world.transport.send(request).status
        }
        #expect(count == 1)
        await client.start()
        #expect(await client.person == nil)
        guard case .signedOut(_?) = await client.state else {
            Issue.record("the person should be told, not \(await client.state)")
            return
        }
    }

    @Test("A session that the server ended is not used any more") func ended() async throws {
        let client = try await world.launchSignedIn()
        world.apple.advance(by: .seconds(91 * 86_400))
        let launched = try await world.launchStarted()
        #expect(await launched.state == .signedOut(.ended))
        #expect(try await kind { try await client.refreshAccount() } == .notSignedIn)
        #expect(await client.state == .signedOut(.ended))
    }

    @Test("An app that moved to another team asks for one more sign-in")
    func transferred() async throws {
        let client = try await world.launchSignedIn()
        try await world.apple.add(Seed(teams: [SeedTeam(teamID: "OTHERTEAM1")]))
        try await world.apple.transfer(AppWorld.app, to: "OTHERTEAM1")
        await client.start()
        #expect(await client.state == .needsAttention(.transferred))
        #expect(try await kind { try await client.performSecureTask { 1 } } == .transferred)
    }

    @Test("A device whose clock is years off signs in and stays signed in", arguments: [-10, 10])
    func clock(years: Double) async throws {
        world.time.set(now: world.time.now.addingTimeInterval(years * 365 * 86_400))
        let client = try await world.launchSignedIn()
        #expect(await client.person?.isConfirmed == true)
        let launched = try await world.launchStarted()
        #expect(await launched.person?.isConfirmed == true)
        #expect(try await launched.performSecureTask { 7 } == 7)
    }

    @Test("A sign-out counts here at once, and at the server when it is back")
    func signOut() async throws {
        let client = try await world.launchSignedIn()
        world.transport.network = .dead
        await client.signOut()
        #expect(await client.state == .signedOut(.byUser))
        #expect(try await world.counts().sessions == 1)
        world.transport.network = .up
        let launched = try await world.launchStarted()
        #expect(await launched.state == .signedOut())
        #expect(try await world.counts().sessions == 0)
    }

    @Test("Records that nobody can read count as missing") func damaged() async throws {
        for record in CredentialRecord.allCases {
            try await world.credentials.write(Data("{\"".utf8), to: record)
        }
        let client = try await world.launchStarted()
        #expect(await client.state == .signedOut())
        world.device.script(.continue())
        #expect(try await client.signInWithApple().account.name == "Maya Lindgren")
    }
}

/// Tells a state of its own of every credential; all else is the server's.
private struct KnowingServer: ServerTransport {
    let server: RouterTransport
    let state: String

    func send(_ request: ServerRequest) async throws(TransportFailure) -> ServerAnswer {
        guard request.url.path().hasSuffix("/credential-state") else {
            return try await server.send(request)
        }
        return ServerAnswer(status: 200, body: Data(#"{"state": "\#(state)"}"#.utf8))
    }
}

@Suite("Existing credentials at launch", AppWorld.lending) struct ExistingCredentialTests {
    private let world: AppWorld
    init() throws { world = try AppWorld.lending.value }

    @Test("A stored password comes back for the form") func password() async throws {
        world.device.store(password: "seven ripe oranges", for: "maya")
        world.device.script(.usePassword)
        let client = try await world.launchStarted()
        let found = try #require(try await client.findExistingCredential())
        #expect(found == .password(StoredPassword(user: "maya", password: "seven ripe oranges")))
        #expect(!"\(found)".contains("oranges"))
        #expect(await client.state == .signedOut())
    }

    @Test("Who used Apple before is signed in by one tap") func apple() async throws {
        _ = try await world.launchSignedIn()
        for record in CredentialRecord.allCases {
            try await world.credentials.remove(record)
        }
        let launched = try await world.launchStarted()
        world.device.script(.continue())
        let found = try await launched.findExistingCredential()
        #expect(found == (await launched.person).map { .signedIn($0) })
        #expect(found != nil)
    }

    @Test("Nothing stored shows nothing and is no error") func nothing() async throws {
        let client = try world.launch()
        #expect(try await client.findExistingCredential() == nil)
        #expect(world.device.shownSheets.isEmpty)
        #expect(await client.state == .signedOut())
    }

    @Test("Nothing stored is no dismissal: the next launch asks again")
    func nothingYet() async throws {
        let first = try await world.launch().findExistingCredential()
        #expect(first == nil)
        world.device.store(password: "seven ripe oranges", for: "maya")
        world.device.script(.usePassword)
        let second = try await world.launch().findExistingCredential()
        #expect(second != nil)
    }

    @Test("It does not ask twice in a row after a dismissal, nor after a sign-out")
    func dismissed() async throws {
        world.device.store(password: "seven ripe oranges", for: "maya")
        world.device.script(.cancel)
        #expect(try await world.launch().findExistingCredential() == nil)
        #expect(try await world.launch().findExistingCredential() == nil)
        #expect(world.device.shownSheets.count == 1)
        world.device.script(.usePassword)
        #expect(try await world.launch().findExistingCredential() != nil)
        let client = try await world.launchSignedIn()
        await client.signOut()
        let shown = world.device.shownSheets.count
        #expect(try await world.launch().findExistingCredential() == nil)
        #expect(world.device.shownSheets.count == shown)
    }
}
