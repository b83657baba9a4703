import AppleEmulator
import AppleIdentity
import Testing

// Fidelity: sheet-3
@Suite("The buttons of people on the sign-in page") struct PersonButtonTests {
    private let box: Box

    init() async throws { box = try await Box { $0.people[0].hasTwoFactor = true } }

    private func action(_ page: Reply, of email: String = Box.maya) throws -> String {
        try #require(page.suggestedPeople.first { $0.email == email }?.action)
    }

    @Test("A button skips password and code, and leads to the consent") func skips() async throws {
        let page = await box.authorize()
        let sheet = await box.step(page, try action(page))
        #expect(sheet.consent?.email == Box.maya)
        #expect(sheet.cookie?.hasPrefix("emulated-apple-account=") == true)
        #expect(await box.step(sheet, "continue", Box.consent).hiddenFields["code"] != nil)
    }

    @Test("A button works on the page that was left for the six digits")
    func fromTwoFactor() async throws {
        let page = await box.authorize()
        let action = try action(page)
        #expect(await box.signIn(page).digits != nil)
        #expect(await box.step(page, action).consent != nil)
    }

    @Test("Without the switch there is no button, and its action does nothing")
    func off() async throws {
        let page = await box.authorize()
        let action = try action(page)
        _ = try await box.apple.changeSwitches(["person_buttons": false])
        #expect(await box.step(page, action).problem == .stepNotPossible)
        #expect(await box.authorize().suggestedPeople.map(\.action) == ["", ""])
    }

    @Test("The switch of a single sign-in applies to its pages") func offForOne() async throws {
        let page = await box.authorize(["siwa_switches": #"{"person_buttons":false}"#])
        #expect(page.suggestedPeople.map(\.action) == ["", ""])
        let action = try action(await box.authorize())
        #expect(await box.step(page, action).problem == .stepNotPossible)
    }

    @Test("The form stays, and still requires the password") func form() async throws {
        let page = await box.authorize()
        #expect(await box.signIn(page, password: "pear").problem == .wrongPassword)
    }

    @Test("A deleted person's button does nothing") func deleted() async throws {
        let page = await box.authorize()
        let action = try action(page)
        try await box.apple.deletePerson(Box.maya)
        #expect(await box.step(page, action).problem == .stepNotPossible)
    }

    @Test("The account page has the buttons too") func accountPage() async throws {
        var browser = AccountBrowser(box)
        let page = await browser.open("/account")
        let fields = ["action": try action(page)]
        #expect(await browser.submit(page, to: "/account/sign-in", fields).status == 303)
        #expect(await browser.open("/account").overview?.holder.email == Box.maya)
    }
}
