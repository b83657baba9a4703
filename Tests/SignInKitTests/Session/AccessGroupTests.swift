import AppleIdentity
import Foundation
import SimulatedAuthenticationServices
import TestSupport
import Testing

@testable import SignInKit

@Suite("Two apps of one access group", AppWorld.lending)
struct AccessGroupTests {
    private let world: AppWorld
    init() throws { world = try AppWorld.lending.value }

    /// Another app, which keeps its records in the same group.
    private func sibling() async throws -> SignInClient {
        let client = try await world.launchStarted()
        return client
    }

    @Test("An app and its widget look for the same keychain items, apps without a group do not")
    func keychainPlace() {
        func place(_ app: String, _ group: String?, _ service: String? = nil) -> KeychainPlace {
            KeychainPlace(service: service, accessGroup: group, bundleIdentifier: app)
        }
        let (app, widget) = ("com.example.juice", "com.example.juice.widget")
        #expect(place(app, "TEAM.juice") == place(widget, "TEAM.juice"))
        #expect(place(app, "TEAM.juice", "own").service == "own")
        #expect(place(app, nil) != place(widget, nil))
    }

    @Test("A sign-in in one is seen by the other at its next start")
    func signIn() async throws {
        let widget = try await sibling()
        #expect(await widget.state == .signedOut())
        let app = try await world.launchSignedIn()
        await widget.start()
        #expect(await widget.state == app.state)
        #expect(try await widget.token() == app.token())
        #expect(try await world.counts().sessions == 1)
    }

    @Test("A sign-out in one ends the session in both", arguments: [true, false])
    func signOut(startsAgain: Bool) async throws {
        let app = try await world.launchSignedIn()
        let widget = try await sibling()
        await app.signOut()
        try await waitUntil { try await world.counts().sessions == 0 }
        if startsAgain {
            await widget.start()
        } else {
            #expect(try await kind { try await widget.refreshAccount() } == .notSignedIn)
        }
        #expect(await widget.state == .signedOut(.byUser))
    }

    @Test("A running app hears of a sign-in and a sign-out at once, one of another group does not")
    func news() async throws {
        let group = "AB12CD34EF.\(UUID())"
        let app = try world.launch(accessGroup: group)
        let widget = try await SignInSession(client: world.launch(accessGroup: group))
        let stranger = try world.launch(accessGroup: "another")
        await widget.start()
        await stranger.start()
        world.device.script(.continue())
        _ = try await app.signInWithApple()
        try await waitUntil { await widget.person?.isConfirmed == true }
        #expect(try await widget.token() == app.token())
        await app.signOut()
        try await waitUntil { await widget.state == .signedOut(.byUser) }
        #expect(await stranger.state == .signedOut())
        try await waitUntil { try await world.counts().sessions == 0 }
    }

    @Test("An app with a replaced session continues with the new one, and does not end it")
    func replaced() async throws {
        let app = try await world.launchSignedIn()
        let widget = try await sibling()
        world.device.script(.continue())
        try await app.requireFreshSignIn()
        _ = try await widget.refreshAccount()
        #expect(try await widget.token() == app.token())
        #expect(await widget.state == app.state)
        await app.start()
        #expect(try await world.counts().sessions == 1)
    }

    @Test("A stale app does not write its session over another user's")
    func stale() async throws {
        let app = try await world.launchSignedIn()
        let widget = try await sibling()
        let made = try await app.createAccount(
            username: "noah",
            password: "correct horse battery",
            name: "Noah"
        )
        _ = await widget.keep(try #require(await widget.profile))
        #expect(
            await widget.state
                == .signedIn(SignedInPerson(account: made.account, isConfirmed: false))
        )
        let relaunched = try await sibling()
        #expect(await relaunched.profile?.name == "Noah")
    }

    @Test("A call for a user whose session has ended is not repeated for the next one")
    func nextUser() async throws {
        let app = try await world.launchSignedIn()
        let widget = try await sibling()
        try await widget.server.send(.signOut, token: widget.token())
        _ = try await widget.createAccount(
            username: "noah",
            password: "correct horse battery",
            name: "Noah"
        )
        #expect(try await kind { try await app.deleteAccount() } == .notSignedIn)
        #expect(try await world.counts().accounts == 2)
        #expect(await app.person?.account.name == "Noah")
    }

    @Test("The first launch of one app does not remove the session of the other")
    func firstLaunch() async throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        func store() -> InstallationMarkedStore {
            InstallationMarkedStore(
                world.credentials,
                marker: folder.appending(path: "installation"),
                owner: "group.example"
            )
        }
        try await store().write(Data("session".utf8), to: .session)
        #expect(try await store().read(.session) == Data("session".utf8))
    }
}
