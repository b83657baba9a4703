import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

// Fidelity: sheet-1, sheet-6, sheet-20
@Suite("Several people use one browser") final class AccountChooserTests: BoxSuite {
    private static let kim = SeedPerson(email: "kim@example.com", hasTwoFactor: false)

    /// Maya signs in, then Noah besides her; the cookie of their browser.
    private func signInBoth(_ box: Box) async throws -> String {
        let maya = await box.signIn(await box.authorize())
        let mayasCookie = try #require(maya.cookie)
        let page = await box.step(maya, "switch-account", cookie: mayasCookie)
        #expect(page.asksPassword)
        let noah = await box.signIn(page, email: "noah@example.com", cookie: mayasCookie)
        return try #require(noah.cookie)
    }

    private func open(_ box: Box, _ cookie: String) async -> Reply {
        await box.authorize(headers: [.cookie: cookie])
    }

    @Test("The chooser shows the latest user first, and continues without a password")
    func choose() async throws {
        let cookie = try await signInBoth(box)
        let chooser = await open(box, cookie)
        #expect(chooser.chooserActions == ["choose-2", "choose-1"])
        #expect(chooser.people.first?.personName == "Noah Okafor")
        #expect(chooser.people.last?.email == "maya@example.com")
        let sheet = await box.step(chooser, "choose-1", cookie: cookie)
        #expect(sheet.consent?.familyName == "Lindgren")
        let answer = await box.step(sheet, "continue", Box.consent, cookie: cookie)
        #expect(answer.hiddenFields["user"]?.contains("maya@example.com") == true)
        #expect(await open(box, cookie).chooserActions.first == "choose-1")
    }

    @Test("The session gets a new name with each sign-in, and the old one is worth nothing")
    func renewed() async throws {
        let first = await box.signIn(await box.authorize())
        let old = try #require(first.cookie)
        let page = await box.step(first, "switch-account", cookie: old)
        #expect(await box.signIn(page, email: "noah@example.com", cookie: old).cookie != old)
        #expect(await open(box, old).asksPassword)
    }

    @Test("Another account can be used, and from the sheet the way leads back to the choice")
    func other() async throws {
        let box = try await Box { $0.people.append(Self.kim) }
        let cookie = try await signInBoth(box)
        let chooser = await open(box, cookie)
        let sheet = await box.step(chooser, "choose-2", cookie: cookie)
        let back = await box.step(sheet, "switch-account", cookie: cookie)
        #expect(back.chooserActions.contains("choose-1"))
        let page = await box.step(back, "switch-account", cookie: cookie)
        let kim = await box.signIn(page, email: "kim@example.com", cookie: cookie)
        let three = await open(box, try #require(kim.cookie))
        #expect(three.chooserActions == ["choose-3", "choose-2", "choose-1"])
    }

    @Test("Signing out ends the session of all") func signOut() async throws {
        let cookie = try await signInBoth(box)
        let page = await box.step(await open(box, cookie), "sign-out", cookie: cookie)
        #expect(page.header("Set-Cookie")?.contains("Max-Age=0") == true)
        #expect(page.asksPassword)
        #expect(await open(box, cookie).asksPassword)
    }

    @Test("A user who was not offered or signed out meanwhile is not chosen")
    func strangers() async throws {
        let box = try await Box { $0.people.append(Self.kim) }
        let cookie = try await signInBoth(box)
        for action in ["choose-3", "choose-", "choose-x", "choose--1"] {
            let page = await box.step(await open(box, cookie), action, cookie: cookie)
            #expect(page.asksPassword, "\(action)")
        }
        let left = await open(box, cookie)
        _ = await box.step(await open(box, cookie), "sign-out", cookie: cookie)
        #expect(await box.step(left, "choose-1", cookie: cookie).asksPassword)
        let alone = await box.authorize()
        #expect(await box.step(alone, "choose-1").status == 400)
        #expect(await box.step(alone, "sign-out").status == 400)
    }

    @Test("Who is deleted, or signed in eight hours ago, is no longer offered")
    func gone() async throws {
        let maya = await box.signIn(await box.authorize())
        let mayasCookie = try #require(maya.cookie)
        box.time.advance(bySeconds: 4 * 3_600)
        let page = await box.step(
            await open(box, mayasCookie),
            "switch-account",
            cookie: mayasCookie
        )
        let noah = await box.signIn(page, email: "noah@example.com", cookie: mayasCookie)
        let cookie = try #require(noah.cookie)
        #expect(await open(box, cookie).chooserActions.first == "choose-2")
        box.time.advance(bySeconds: 4 * 3_600)
        #expect(await open(box, cookie).consent?.familyName == "Okafor")
        try await box.apple.deletePerson("noah@example.com")
        #expect(await open(box, cookie).asksPassword)
    }
}
