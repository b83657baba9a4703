import AppleEmulatorTesting
import AppleIdentity
import SignInKit
import SimulatedAuthenticationServices
import TestSupport
import Testing

@testable import JuiceApp

/// What a person does with their account, and what happens to it elsewhere.
@MainActor @Suite("The account in the app", JuiceWorld.lending) struct AccountScreenTests {
    private let world: JuiceWorld
    init() throws { world = try JuiceWorld.lending.value }

    private static let password = "seven ripe oranges"

    @Test("The account shows its ways in, and takes another name") func account() async throws {
        let model = try await world.launchSignedIn()
        await model.showAccount()
        #expect(model.account?.waysIn == [JuiceTexts.appleWayIn])
        #expect(model.account?.unlinkNote == JuiceTexts.appleIsOnlyWayIn)
        #expect(model.account?.canUnlinkApple == false)
        model.showName()
        await model.rename(to: "Maya the Second")
        #expect(model.account?.name == "Maya the Second")
        #expect(model.notice == JuiceTexts.nameSaved)
    }

    @Test("A first password makes Apple unlinkable, and linkable again")
    func waysIn() async throws {
        let model = try await world.launchSignedIn()
        model.showPassword()
        #expect(model.screen == .password(PasswordScreen(isFirst: true)))
        await model.setPassword(username: "maya", new: Self.password)
        #expect(model.problem == nil)
        await model.showAccount()
        #expect(model.account?.waysIn.count == 2)
        await model.unlinkApple()
        #expect(model.problem == nil)
        #expect(model.account?.waysIn == [JuiceTexts.passwordWayIn("maya")])
        try await world.untilAppleHasRevoked()
        world.device.script(.continue())
        await model.linkApple()
        #expect(model.problem == nil)
        #expect(model.account?.canUnlinkApple == true)
        model.showPassword()
        await model.changePassword(current: "wrong", new: "nine green limes")
        #expect(model.problem?.code == "credentials_invalid")
        await model.changePassword(current: Self.password, new: "nine green limes")
        #expect(model.problem == nil)
        #expect(model.notice == JuiceTexts.passwordSaved)
    }

    @Test("Sessions are listed, and the others end") func sessions() async throws {
        let model = try await world.launchSignedIn()
        world.device.script(.continue())
        let second = try await world.reinstalled.launch()
        #expect(second.result != nil)
        await model.showSessions()
        guard case .sessions(let lines) = model.screen else {
            Issue.record("the sessions should be shown, not \(model.screen)")
            return
        }
        #expect(lines.count == 2)
        #expect(lines.filter(\.isCurrent).count == 1)
        await model.endOtherSessions()
        #expect(model.screen != .sessions(lines))
        await second.showAccount()
        #expect(second.screen == .ended(.ended))
    }

    @Test("The secure task runs while the person uses the app, and not after they stopped")
    func secureTask() async throws {
        let model = try await world.launchSignedIn()
        model.showSecureTask()
        await model.runSecureTask()
        #expect(model.screen == .secureTask(SecureTaskScreen(result: JuiceTexts.recipeText)))
        world.device.script(.continue())
        await model.runSecureTask(requiresFreshSignIn: true)
        #expect(model.problem == nil)
        try await world.device.stopUsing("com.example.juice")
        await model.runSecureTask()
        #expect(model.screen == .ended(.revoked))
        await model.answerAttention()
        #expect(model.screen == .login(.empty))
    }

    @Test("Deleting ends on the login screen, and a next sign-in is a first one")
    func deletion() async throws {
        let model = try await world.launchSignedIn()
        model.showDeletion()
        #expect(model.screen == .deletion(lead: JuiceTexts.deletionLead))
        await model.deleteAccount()
        #expect(model.problem == nil)
        #expect(model.screen == .login(.empty))
        #expect(model.notice == JuiceTexts.accountDeleted)
    }

    @Test("What needs a fresh sign-in asks for the password, and goes on")
    func confirmation() async throws {
        let model = try await world.launch()
        await model.createAccount(username: "noor", password: Self.password, name: "")
        await model.showAccount()
        world.apple.time.advance(bySeconds: 11 * 60)
        model.showDeletion()
        await model.deleteAccount()
        #expect(model.screen == .confirmation(username: "noor"))
        await model.confirm(password: "wrong")
        #expect(model.problem?.code == "credentials_invalid")
        #expect(model.screen == .confirmation(username: "noor"))
        await model.confirm(password: Self.password)
        #expect(model.screen == .deletion(lead: JuiceTexts.deletionLead))
        #expect(model.notice == JuiceTexts.confirmed)
        await model.deleteAccount()
        #expect(model.notice == JuiceTexts.accountDeleted)
    }
}
