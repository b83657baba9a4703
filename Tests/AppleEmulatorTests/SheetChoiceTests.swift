import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@Suite("What a person chooses on the sheet") struct SheetChoiceTests {
    private let box: Box

    init() async throws { box = try await Box() }

    private static func addresses(_ seed: inout Seed) {
        seed.people[0].otherEmails = ["maya@work.example.com", "maya@home.example.com"]
    }

    private func options(_ page: Reply) -> [String] {
        (page.consent?.addresses ?? []).map {
            $0 + ($0 == page.consent?.chosenAddress ? " *" : "")
        }
    }

    @Test("With one address there is nothing to choose") func oneAddress() async throws {
        let sheet = await box.signIn(await box.authorize())
        #expect(options(sheet) == ["maya@example.com *"])
    }

    @Test("One of several addresses is shared, and stays so") func severalAddresses() async throws {
        let box = try await Box(change: Self.addresses)
        let sheet = await box.signIn(await box.authorize())
        #expect(
            options(sheet) == [
                "maya@example.com *", "maya@work.example.com", "maya@home.example.com",
            ]
        )
        let answers = Box.consent.merging(["shared_email": "Maya@work.example.com"]) { $1 }
        let first = await box.step(sheet, "continue", answers).hiddenFields
        #expect(first["user"]?.contains("\"email\":\"maya@work.example.com\"") == true)
        let again = TokenText(try await box.signInOnTheWeb()["id_token"] ?? "")
        #expect(again.claims["email"] == "maya@work.example.com")
        #expect(again.claims["email_verified"] == true)
        let person = await box.apple.state()["people"]?.arrayValue?.first?.objectValue
        let consent = person?["consents"]?.arrayValue?.first?.objectValue
        #expect(consent?["shared_email"] == "maya@work.example.com")
    }

    @Test("A hidden address hides them all") func hidden() async throws {
        let box = try await Box(change: Self.addresses)
        let sheet = await box.signIn(await box.authorize())
        let answers = [
            "given_name": "M", "family_name": "L", "email_choice": "hide",
            "shared_email": "maya@work.example.com",
        ]
        let answer = await box.step(sheet, "continue", answers).hiddenFields
        #expect(answer["user"]?.contains("@privaterelay.appleid.com") == true)
    }

    @Test("An address of somebody else is refused, and what was typed stays")
    func anotherPersonsAddress() async throws {
        let box = try await Box(change: Self.addresses)
        let sheet = await box.signIn(await box.authorize())
        let answers = [
            "given_name": "Mimi", "family_name": "L", "email_choice": "hide",
            "shared_email": "noah@example.com",
        ]
        let page = await box.step(sheet, "continue", answers)
        #expect(page.status == 400)
        #expect(page.consent?.givenName == "Mimi")
        #expect(page.consent?.hidesEmail == true)
        #expect(page.problem == .emailChoiceWrong)
    }

    @Test("Undoing brings the account's name back and keeps the choice of the address")
    func undo() async throws {
        let box = try await Box(change: Self.addresses)
        let sheet = await box.signIn(await box.authorize())
        let typed = [
            "given_name": "Mimi", "family_name": "X", "email_choice": "hide",
            "shared_email": "maya@home.example.com",
        ]
        let page = await box.step(sheet, "undo-name", typed)
        #expect(page.status == 200)
        #expect(page.consent?.givenName == "Maya" && page.consent?.familyName == "Lindgren")
        #expect(page.consent?.hidesEmail == true)
        #expect(options(page).contains("maya@home.example.com *"))
        #expect(await box.step(page, "continue", Box.consent).status == 200)
    }

    @Test("There is nothing to undo before and after the consent")
    func undoElsewhere() async throws {
        let page = await box.authorize()
        #expect(await box.step(page, "undo-name").status == 400)
        let sheet = await box.signIn(page)
        _ = await box.step(sheet, "continue", Box.consent)
        #expect(await box.step(sheet, "undo-name").status == 400)
    }

    @Test("The first app of an account comes with a word about data and privacy")
    func privacy() async throws {
        let sheet = await box.signIn(await box.authorize())
        #expect(sheet.consent?.isFirstApp == true)
        _ = await box.step(sheet, "continue", Box.consent)
        try await box.apple.stopUsing("maya@example.com", clientID: Box.web)
        let later = await box.authorize(headers: [.cookie: sheet.cookie ?? ""])
        #expect(later.consent?.isFirstApp == false)
    }

    @Test("A decision given beforehand, and a device, can name the address too")
    func beforehand() async throws {
        let box = try await Box(change: Self.addresses)
        let fields = try await box.signInOnTheWeb(
            decision: ["shared_email": "maya@home.example.com"]
        )
        #expect(fields["user"]?.contains("maya@home.example.com") == true)
        let other = try await Box(change: Self.addresses)
        let credential = try await other.credentials(["shared_email": "maya@work.example.com"])
        #expect(credential["email"] == "maya@work.example.com")
    }

    @Test(
        "A choice that can't be made is refused",
        arguments: [
            ["shared_email": "noah@example.com"],
            ["shared_email": "maya@example.com", "email": "hide"],
            ["shared_email": 1],
        ] as [JSONObject]
    )
    func wrongBeforehand(_ choice: JSONObject) async throws {
        await #expect(throws: ControlRefusal.self) { try await box.decide(choice) }
        await #expect(throws: ControlRefusal.self) { _ = try await box.credentials(choice) }
    }

    @Test("An account without an address hides none") func nothingToHide() async throws {
        let box = try await Box { $0.people[0].hasEmail = false }
        await #expect(throws: ControlRefusal.self) { try await box.decide(["email": "hide"]) }
    }
}
