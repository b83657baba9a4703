import AppleIdentity
import Foundation
import SignInKit
import SimulatedAuthenticationServices
import TestSupport
import Testing

@testable import JuiceApp

/// Signing in and out, screen by screen, against a real server, Apple's emulator and a simulated device.
@MainActor @Suite("Signing in to the app", JuiceWorld.lending) struct SignInScreenTests {
    private let world: JuiceWorld
    init() throws { world = try JuiceWorld.lending.value }

    @Test("A first launch shows the login screen and says nothing")
    func firstLaunch() async throws {
        let model = try await world.launch()
        #expect(model.screen == .login(.empty))
        #expect(model.problem == nil)
        #expect(model.notice == nil)
        #expect(!model.isBusy)
    }

    @Test("An edited name and a hidden address are on the result screen")
    func firstTime() async throws {
        let model = try await world.launch()
        world.device.script(
            .continue(name: .init(givenName: "Mia Sol", familyName: "家"), email: .hide)
        )
        await model.signInWithApple()
        let result = try #require(model.result)
        #expect(result.identifier.wholeMatch(of: /\d{6}\.[0-9a-f]{32}\.\d{4}/) != nil)
        #expect(result.givenName == "Mia Sol")
        #expect(result.familyName == "家")
        #expect(result.email.hasSuffix("@privaterelay.appleid.com"))
        #expect(result.emailNote == JuiceTexts.relayExplained)
        #expect(result.unconfirmedNote == nil)
    }

    @Test("After a sign-out the next sign-in still shows the name") func secondTime() async throws {
        let model = try await world.launchSignedIn()
        let first = try #require(model.result)
        await model.signOut()
        #expect(model.screen == .login(.empty))
        #expect(model.notice == JuiceTexts.signedOut)
        world.device.script(.continue())
        await model.signInWithApple()
        #expect(model.result == first)
        #expect(world.device.shownSheets.last?.kind == .again)
    }

    /// A browser that nobody comes back from.
    private struct LostBrowser: BrowserSession {
        let failure: AuthorizationFailure.Kind

        func redirectURI() async throws(AuthorizationFailure) -> URL {
            URL(filePath: "/signed-in")
        }

        func open(_ url: URL, callback: URL) async throws(AuthorizationFailure) -> URL {
            throw AuthorizationFailure(failure)
        }
    }

    @Test("The browser is offered where there is one; giving up says nothing, a failure what to do")
    func browser() async throws {
        for failure in [AuthorizationFailure.Kind.canceled, .failed] {
            let model = try await world.launch(browser: LostBrowser(failure: failure))
            let login = LoginScreen(username: nil, hasStoredPassword: false, offersBrowser: true)
            #expect(model.screen == .login(login))
            await model.signInWithBrowser()
            #expect(model.screen == .login(login) && !model.isBusy)
            #expect(model.problem?.sentence == (failure == .failed ? "The sign-in failed." : nil))
        }
    }

    @Test("A person who closes the sheet is told nothing") func cancelled() async throws {
        let model = try await world.launch()
        world.device.script(.cancel)
        await model.signInWithApple()
        #expect(model.screen == .login(.empty))
        #expect(model.problem == nil)
    }

    @Test("A device without an Apple Account leads to Settings or a password")
    func noAccount() async throws {
        try await withJuice(isSignedIn: false) { world in
            let model = try await world.launch()
            await model.signInWithApple()
            #expect(model.problem?.code == "unknown")
            #expect(model.problem?.nextStep.contains("Settings") == true)
            #expect(world.device.alerts == [.noAppleAccount])
        }
    }

    @Test("A new account with a password, refused and then made") func newAccount() async throws {
        let model = try await world.launch()
        model.showCreateAccount()
        await model.createAccount(username: "noor", password: "short", name: "")
        #expect(model.screen == .createAccount)
        #expect(model.problem?.code == "password_too_short")
        #expect(model.problem?.nextStep == "Use at least 8 characters.")
        await model.createAccount(username: "noor", password: "seven ripe oranges", name: "Noor")
        let result = try #require(model.result)
        #expect(model.problem == nil)
        #expect(result.identifier == JuiceTexts.noIdentifier)
        #expect(result.givenName == "Noor")
        #expect(result.familyName == JuiceTexts.noName)
        #expect(result.email == JuiceTexts.noEmail)
    }

    @Test("A wrong password says so in one sentence and one step")
    func wrongPassword() async throws {
        let model = try await world.launch()
        await model.signIn(username: "nobody", password: "seven ripe oranges")
        #expect(model.problem?.sentence == "The username or password is incorrect.")
        #expect(model.screen == .login(.empty))
    }

    @Test("A stored password is offered with its user name, and signs in")
    func stored() async throws {
        try await withJuice(isSignedIn: false) { world in
            let first = try await world.launch()
            await first.createAccount(username: "noor", password: "seven ripe oranges", name: "")
            world.device.store(password: "seven ripe oranges", for: "noor")
            world.device.script(.usePassword)
            let model = try await world.reinstalled.launch()
            guard case .login(let login) = model.screen else {
                Issue.record("the login screen should be shown, not \(model.screen)")
                return
            }
            #expect(login.username == "noor")
            #expect(login.hasStoredPassword)
            await model.signInWithStoredPassword()
            #expect(model.result != nil)
        }
    }

    @Test("The next launch goes on where the last one ended") func relaunch() async throws {
        let first = try await world.launchSignedIn()
        let again = try await world.launch()
        // A busy server's answer comes after the stored account.
        try await waitUntil { again.result == first.result }
    }
}

extension LoginScreen {
    static let empty = LoginScreen(username: nil, hasStoredPassword: false, offersBrowser: false)
}

extension JuiceModel {
    /// The result screen, when that is shown.
    var result: ResultScreen? {
        if case .result(let result) = screen { result } else { nil }
    }

    /// The account's screen, when that is shown.
    var account: AccountScreen? {
        if case .account(let account) = screen { account } else { nil }
    }
}
