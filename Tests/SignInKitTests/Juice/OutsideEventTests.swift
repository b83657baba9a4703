import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import SignInKit
import SimulatedAuthenticationServices
import TestSupport
import Testing

@testable import JuiceApp

/// What happens to the app from outside: a server that is down, another person, another team, a full device.
@MainActor @Suite("Events outside the app", JuiceWorld.lending) struct OutsideEventTests {
    private let world: JuiceWorld
    init() throws { world = try JuiceWorld.lending.value }

    private static let password = "seven ripe oranges"

    @Test("A server that is down at the first sign-in gets the name later, once")
    func pending() async throws {
        let model = try await world.launch()
        world.setServer(isDown: true)
        world.device.script(.continue(name: .init(givenName: "Mia", familyName: "Sol")))
        await model.signInWithApple()
        #expect(model.screen == .attention(.registrationPending))
        #expect(model.problem == nil)
        await model.answerAttention()
        #expect(model.screen == .attention(.registrationPending))
        #expect(model.notice == JuiceTexts.stillPending)
        #expect(world.registrationCount == 0)
        world.setServer(isDown: false)
        await model.answerAttention()
        #expect(model.result?.givenName == "Mia")
        #expect(model.result?.familyName == "Sol")
        #expect(model.notice == nil)
        let again = try await world.launch()
        await again.session.refresh()
        #expect(again.result == model.result)
        #expect(world.registrationCount == 1)
    }

    @Test("A process that ends while the answer is pending sends it at the next launch")
    func pendingAtLaunch() async throws {
        let model = try await world.launch()
        world.setServer(isDown: true)
        world.device.script(.continue())
        await model.signInWithApple()
        world.setServer(isDown: false)
        let again = try await world.launch()
        try await waitUntil { again.result?.givenName == "Maya" }
        #expect(world.registrationCount == 1)
    }

    @Test("A full device asks to leave the app open, until the server has the name")
    func unsaved() async throws {
        let model = try await world.launch()
        world.credentials.isFull = true
        await model.signInWithApple()
        #expect(model.problem?.code == "credentials_unavailable")
        #expect(model.screen == .login(.empty))
        world.credentials.isFull = false
        world.setServer(isDown: true)
        world.device.sheet = FillingPerson(credentials: world.credentials)
        await model.signInWithApple()
        #expect(model.screen == .attention(.registrationUnsaved))
        #expect(model.problem == nil)
        world.setServer(isDown: false)
        await model.answerAttention()
        #expect(model.result?.givenName == "Maya")
    }

    @Test("A server that dies while the app runs says so, and everything goes on when it is back")
    func serverDies() async throws {
        let model = try await world.launchSignedIn()
        world.setServer(isDown: true)
        await world.movingTime { await model.showAccount() }
        #expect(model.problem?.code == "server_unreachable")
        #expect(model.account?.name == "Maya Lindgren")
        await world.movingTime { await model.rename(to: "Mia") }
        #expect(model.problem?.code == "server_unreachable")
        let offline = try await world.launch()
        #expect(offline.result?.unconfirmedNote == JuiceTexts.notConfirmed)
        world.setServer(isDown: false)
        await model.rename(to: "Mia")
        #expect(model.account?.name == "Mia")
        #expect(model.problem == nil)
        await offline.session.refresh()
        #expect(offline.result?.givenName == "Mia")
        #expect(offline.result?.unconfirmedNote == nil)
    }

    @Test("Who signs out without a server is signed out, there as soon as it is back")
    func signedOutWithoutServer() async throws {
        let model = try await world.launchSignedIn()
        world.setServer(isDown: true)
        await world.movingTime { await model.signOut() }
        #expect(model.screen == .login(.empty))
        #expect(model.notice == JuiceTexts.signedOut)
        world.setServer(isDown: false)
        await model.session.refresh()
        let other = try await world.reinstalled.launchSignedIn()
        await other.showSessions()
        guard case .sessions(let lines) = other.screen else {
            Issue.record("the sessions should be shown, not \(other.screen)")
            return
        }
        #expect(lines.count == 1)
    }

    @Test("Another Apple Account on the device ends nothing, and has an account of its own")
    func anotherAccount() async throws {
        let model = try await world.launchSignedIn()
        let maya = try #require(model.result)
        try await world.device.signIn(email: "noah@example.com", password: "apple")
        await model.session.refresh()
        #expect(model.result == maya)
        await model.signOut()
        world.device.script(.continue())
        await model.signInWithApple()
        #expect(model.result?.givenName == "Noah")
        #expect(model.result?.identifier != maya.identifier)
    }

    @Test("Another person at the confirmation is refused, and the first one stays signed in")
    func anotherPerson() async throws {
        let model = try await world.launchSignedIn()
        // A simulator, which tells every credential to be good.
        world.device.switches.credentialStates = .alwaysAuthorized
        try await world.device.signIn(email: "noah@example.com", password: "apple")
        model.showSecureTask()
        world.device.script(.continue())
        await model.runSecureTask(requiresFreshSignIn: true)
        #expect(model.problem?.code == "another_person")
        #expect(model.screen == .secureTask(SecureTaskScreen(result: nil)))
        await model.signOut()
        world.device.script(.continue())
        await model.signInWithApple()
        #expect(model.result?.givenName == "Noah")
    }

    @Test("An app that moved to another team asks for one more sign-in, and knows the person")
    func transferred() async throws {
        let model = try await world.launchSignedIn()
        try await world.apple.add(Seed(teams: [SeedTeam(teamID: "OTHERTEAM1")]))
        try await world.apple.transfer("com.example.juice", to: "OTHERTEAM1")
        await model.session.refresh()
        #expect(model.screen == .attention(.transferred))
        model.showSecureTask()
        await model.runSecureTask()
        #expect(model.problem == nil)
        #expect(model.screen == .attention(.transferred))
    }

    @Test("Linking an Apple Account that another account has is refused, and both stay")
    func linkedElsewhere() async throws {
        let maya = try await world.launchSignedIn()
        let other = try await world.reinstalled.launchWithoutApple()
        await other.createAccount(username: "noor", password: Self.password, name: "")
        await other.showAccount()
        #expect(other.account?.canLinkApple == true)
        world.device.script(.continue())
        await other.linkApple()
        #expect(other.problem?.code == "apple_linked_elsewhere")
        #expect(other.account?.waysIn == [JuiceTexts.passwordWayIn("noor")])
        await maya.showAccount()
        #expect(maya.account?.waysIn == [JuiceTexts.appleWayIn])
    }

    @Test("What was said in a session is not said after it", arguments: [true, false])
    func notice(isApple: Bool) async throws {
        try await withJuice(isSignedIn: isApple) { world in
            let model = try await world.launch()
            if isApple {
                world.device.script(.continue())
                await model.signInWithApple()
            } else {
                await model.createAccount(username: "noor", password: Self.password, name: "")
            }
            await model.runSecureTask()
            #expect(model.notice == JuiceTexts.secureTaskDone)
            // The server ends the session, and the app hears of it by itself.
            world.apple.time.advance(bySeconds: 91 * 86_400)
            _ = try? await model.session.client.refreshAccount()
            try await waitUntil { model.screen == .ended(.ended) }
            #expect(model.notice == nil)
            await model.answerAttention()
            #expect(model.screen == .login(.empty) && model.notice == nil)
        }
    }

    @Test("A device without two-factor authentication is told, and a password is left")
    func noTwoFactor() async throws {
        let model = try await world.launch()
        world.device.switches.hasTwoFactor = false
        await model.signInWithApple()
        #expect(world.device.alerts == [.noTwoFactor])
        #expect(model.problem?.code == "unknown")
        await model.createAccount(username: "noor", password: Self.password, name: "Noor")
        #expect(model.result?.givenName == "Noor")
    }
}

/// Agrees to the sheet, on a device that is full from then on.
private struct FillingPerson: SheetPresenter {
    let credentials: MemoryCredentialStore

    func present(_ sheet: AuthorizationSheet) async -> SheetAnswer {
        credentials.isFull = true
        return .continue()
    }
}
