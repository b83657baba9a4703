import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

// Fidelity: request-16, sheet-1, sheet-2, sheet-4, sheet-5, sheet-7, sheet-8, sheet-10
// Fidelity: sheet-14, sheet-15, sheet-19, response-7, response-9, response-10
// Fidelity: response-12, response-14, revocation-15
@Suite("The sheet") final class SheetTests: BoxSuite {
    @Test("The whole way: password, six digits, edited name, hidden address, form to the app")
    func wholeWay() async throws {
        let box = try await Box { $0.people[0].hasTwoFactor = true }
        let digitsPage = await box.signIn(await box.authorize())
        let digits = try #require(digitsPage.digits)
        #expect(digitsPage.cookie == nil)
        let sheet = await box.step(digitsPage, "two-factor", ["code": digits])
        #expect(sheet.cookie?.hasPrefix("emulated-apple-account=") == true)
        #expect(sheet.consent?.familyName == "Lindgren")
        let answer = await box.step(
            sheet,
            "continue",
            ["given_name": "M\"a", "family_name": "L", "email_choice": "hide"]
        )
        #expect(answer.status == 200)
        #expect(answer.hiddenPairs.map(\.name) == ["state", "code", "id_token", "user"])
        #expect(answer.formPost?.redirectURI == Box.callback)
        let user = try #require(answer.hiddenFields["user"])
        let form =
            /\{"email":"[a-z0-9]{10}@privaterelay\.appleid\.com","name":\{"firstName":"M\\"a","lastName":"L"\}\}/
        #expect(user.wholeMatch(of: form) != nil, "\(user)")
    }

    @Test("Who is signed in gets the short sheet and no user field") func returning() async throws {
        let sheet = await box.signIn(await box.authorize())
        let cookie = sheet.cookie
        _ = await box.step(sheet, "continue", Box.consent)
        let again = await box.authorize(headers: [.cookie: cookie ?? ""])
        #expect(again.returning?.email == "maya@example.com")
        let answer = await box.step(again, "continue")
        #expect(answer.hiddenPairs.map(\.name) == ["state", "code", "id_token"])
    }

    @Test("Cancel is sent to the app, with the state") func cancel() async throws {
        let answer = await box.step(await box.authorize(), "cancel")
        #expect(answer.hiddenPairs.map(\.name) == ["state", "error"])
        #expect(answer.hiddenFields["error"] == "user_cancelled_authorize")
        #expect(answer.hiddenFields["state"] == "s-1")
    }

    @Test("A transaction is good once, for its step, and for ten minutes")
    func bounds() async throws {
        let page = await box.authorize()
        #expect(await box.step(page, "continue").status == 400)
        let sheet = await box.signIn(page)
        #expect(await box.step(sheet, "continue", Box.consent).status == 200)
        let second = await box.step(sheet, "continue")
        #expect(second.status == 400)
        #expect(second.hiddenFields["code"] == nil)
        let late = await box.authorize()
        box.time.advance(bySeconds: 600)
        #expect(await box.signIn(late).status == 400)
    }

    @Test("Wrong passwords are refused, and end the sign-in at the fifth")
    func attempts() async throws {
        let page = await box.authorize()
        for _ in 1...4 { #expect(await box.signIn(page, password: "pear").status == 403) }
        #expect(await box.step(page, "sign-in", ["email": "maya@example.com"]).status == 400)
        #expect(await box.signIn(page).status == 400)
        let text = await box.apple.requests().map(\.text).joined()
        #expect(!text.contains("pear"))
    }

    @Test("A name has a limit") func nameLimit() async throws {
        let sheet = await box.signIn(await box.authorize())
        let long = String(repeating: "n", count: 101)
        let answers = Box.consent.merging(["given_name": long]) { $1 }
        #expect(await box.step(sheet, "continue", answers).status == 400)
        #expect(await box.step(sheet, "continue", Box.consent).status == 200)
    }

    private static func addresses(_ seed: inout Seed) {
        seed.people[0].otherEmails = ["maya@work.example.com", "maya@home.example.com"]
    }

    private func options(_ page: Reply) -> [String] {
        (page.consent?.addresses ?? []).map { $0 + ($0 == page.consent?.chosenAddress ? " *" : "") }
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
        let again = TokenText(try await box.signInOnTheWeb()["id_token"])
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

    @Test("Another user's email address is refused, and the typed values stay")
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
        try await box.apple.stopUsing(Box.maya, clientID: ClientID(Box.web))
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
            ["shared_email": "maya@example.com", "email": "hide"], ["shared_email": 1],
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

    private static let person = ["email": Box.maya, "password": "apple"]

    @Test(
        "The first page marks the browser, out of reach of scripts and other sites",
        arguments: ["/account", Box.authorizePath]
    )
    func mark(path: String) async throws {
        for (scheme, end) in [("https", "; Secure"), ("http", "")] {
            let page = await box.send(.get, path, scheme: scheme, from: CookieJar())
            let cookie = try #require(page.header("Set-Cookie"))
            let form = /emulated-apple-browser=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax/
            #expect(cookie.prefixMatch(of: form).map { cookie[$0.range.upperBound...] } == end[...])
        }
    }

    @Test("Another browser neither carries a sign-in on nor ends it")
    func otherBrowser() async throws {
        let page = await box.authorize()
        let other = CookieJar()
        _ = await box.send(.get, Box.authorizePath, from: other)
        #expect(other.cookie != nil && other.cookie != box.browser.cookie)
        for stranger in [CookieJar(), other] {
            for action in ["sign-in", "cancel", "switch-account"] {
                let reply = await box.step(page, action, Self.person, from: stranger)
                #expect(reply.status == 400)
                #expect(reply.header("Set-Cookie") == nil)
            }
        }
        let sheet = await box.signIn(page)
        #expect(sheet.status == 200)
        let stolen = await box.step(sheet, "continue", Box.consent, from: CookieJar())
        #expect(stolen.hiddenFields["code"] == nil)
        #expect(await box.step(sheet, "continue", Box.consent).hiddenFields["code"] != nil)
    }

    @Test(
        "A form of another site is refused",
        arguments: [("cross-site", 400), ("same-site", 400), ("same-origin", 200), ("none", 200)]
    )
    func crossSiteForm(site: String, status: Int) async throws {
        let page = await box.authorize()
        let name = try #require(HTTPField.Name("Sec-Fetch-Site"))
        let reply = await box.step(page, "sign-in", Self.person, headers: [name: site])
        #expect(reply.status == status)
    }

    @Test("Two tabs of one browser go on side by side") func tabs() async throws {
        let first = await box.authorize(["state": "first"])
        let second = await box.authorize(["state": "second"])
        #expect(second.header("Set-Cookie") == nil)
        for (page, state) in [(second, "second"), (first, "first")] {
            let answer = await box.step(await box.signIn(page), "continue", Box.consent)
            #expect(answer.hiddenFields["state"] == state)
        }
    }

    @Test("A mark this emulator would not make is replaced") func strangeMark() async throws {
        let page = await box.authorize(headers: [.cookie: "emulated-apple-browser=x"])
        #expect(page.cookie?.hasPrefix("emulated-apple-browser=") == true)
    }

    @Test("A user who stopped using the app while the short sheet was open sees the consent again")
    func consentEnded() async throws {
        let sheet = await box.signIn(await box.authorize())
        let cookie = sheet.cookie ?? ""
        let hiding = Box.consent.merging(["email_choice": "hide"]) { $1 }
        _ = await box.step(sheet, "continue", hiding)
        let short = await box.authorize(headers: [.cookie: cookie])
        #expect(short.returning != nil)
        try await box.apple.stopUsing(Box.maya, clientID: ClientID(Box.web))
        let asked = await box.step(short, "continue")
        #expect(asked.status == 400)
        #expect(asked.hiddenFields["code"] == nil)
        #expect(asked.consent != nil && asked.problem == .consentUnanswered)
        let answer = await box.step(asked, "continue", hiding)
        #expect(answer.hiddenFields["user"]?.contains("privaterelay") == true)
    }
}
