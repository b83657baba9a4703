import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@Suite("The sheet") struct SheetTests {
    private let box: Box

    init() async throws { box = try await Box() }

    /// What the first sheet asks.
    private static let answers = [
        "given_name": "Maya", "family_name": "Lindgren", "email_choice": "share",
    ]

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
        _ = await box.step(sheet, "continue", Self.answers)
        let again = await box.authorize(headers: [.cookie: cookie ?? ""])
        #expect(again.returning?.email == "maya@example.com")
        let answer = await box.step(again, "continue")
        #expect(answer.hiddenPairs.map(\.name) == ["state", "code", "id_token"])
    }

    @Test("Cancel is told to the app, with the state") func cancel() async throws {
        let answer = await box.step(await box.authorize(), "cancel")
        #expect(answer.hiddenPairs.map(\.name) == ["state", "error"])
        #expect(answer.hiddenFields["error"] == "user_cancelled_authorize")
        #expect(answer.hiddenFields["state"] == "s-1")
    }

    @Test("Switching the account asks for an address again") func switchAccount() async throws {
        let sheet = await box.signIn(await box.authorize())
        let page = await box.step(sheet, "switch-account", cookie: sheet.cookie)
        #expect(page.asksPassword)
        let other = await box.signIn(page, email: "noah@example.com", cookie: sheet.cookie)
        #expect(other.consent?.familyName == "Okafor")
    }

    @Test("A transaction is good once, for its step, and for ten minutes")
    func bounds() async throws {
        let page = await box.authorize()
        let early = await box.step(page, "continue")
        #expect(early.status == 400)
        let sheet = await box.signIn(page)
        #expect(await box.step(sheet, "continue", Self.answers).status == 200)
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
        for _ in 1...4 {
            let reply = await box.step(
                page,
                "sign-in",
                ["email": "maya@example.com", "password": "pear"]
            )
            #expect(reply.status == 403)
        }
        #expect(await box.step(page, "sign-in", ["email": "maya@example.com"]).status == 400)
        #expect(await box.signIn(page).status == 400)
        let text = await box.apple.requests().map(\.text).joined()
        #expect(!text.contains("pear"))
    }

    @Test("Wrong digits are refused") func wrongDigits() async throws {
        let box = try await Box { $0.people[0].hasTwoFactor = true }
        let page = await box.signIn(await box.authorize())
        #expect(await box.step(page, "two-factor", ["code": "12345"]).status == 403)
    }

    @Test("A name has a limit") func nameLimit() async throws {
        let sheet = await box.signIn(await box.authorize())
        let long = String(repeating: "n", count: 101)
        let answers = Self.answers.merging(["given_name": long]) { $1 }
        #expect(await box.step(sheet, "continue", answers).status == 400)
        #expect(await box.step(sheet, "continue", Self.answers).status == 200)
    }

    @Test("A managed account can't hide its address") func managed() async throws {
        let box = try await Box { $0.people[0].isManaged = true }
        let sheet = await box.signIn(await box.authorize())
        let answers = Self.answers.merging(["email_choice": "hide"]) { $1 }
        let answer = await box.step(sheet, "continue", answers)
        #expect(answer.hiddenFields["user"]?.contains("maya@example.com") == true)
    }
}
