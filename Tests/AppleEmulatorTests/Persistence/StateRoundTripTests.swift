import AppleIdentity
import Crypto
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulator

@Suite("The state goes from one emulator to another") struct StateRoundTripTests {
    @Test("Nothing changes on the way, whatever there is") func fixedPoint() async throws {
        let lived = try await LivedIn()
        let state = await lived.box.apple.exported()
        let document = try StateDocument(parsing: state)
        // A section that is empty here would prove nothing.
        for section in StateSection.all.map(\.name) {
            #expect(document[section] != nil && document[section] != [], "\(section)")
        }
        let second = try await AppleEmulator(
            importing: state,
            configuration: lived.box.apple.configuration,
            time: lived.box.time.source
        )
        #expect(
            String(decoding: await second.exported(), as: UTF8.self)
                == String(decoding: state, as: UTF8.self)
        )
    }

    @Test("A refresh token redeems, and the person is the same one")
    func refreshToken() async throws {
        let first = try await Box()
        let form = try await first.signInOnTheWeb()
        let tokens = try await first.exchange(form["code"] ?? "")
        let before = TokenText(tokens["id_token"])
        let second = try await first.restarted()
        let refreshed = try await second.refresh(tokens["refresh_token"])
        #expect(refreshed.status == 200)
        #expect(TokenText(refreshed["id_token"]).claims["sub"] == before.claims["sub"])
        let again = TokenText(try await second.signInOnTheWeb()["id_token"])
        #expect(again.claims["sub"] == before.claims["sub"])
        let published = await second.send(.get, "/auth/keys")
        #expect(published.text == (await first.send(.get, "/auth/keys")).text)
    }

    @Test("A code is redeemed after the import, once, and not when it was before")
    func codes() async throws {
        let first = try await Box()
        let used = try await first.signInOnTheWeb()["code"] ?? ""
        _ = try await first.exchange(used)
        let open = try await first.signInOnTheWeb()["code"] ?? ""
        let second = try await first.restarted()
        #expect(try await second.exchange(used)["error"] == "invalid_grant")
        #expect(try await second.exchange(open).status == 200)
        #expect(try await second.exchange(open)["error"] == "invalid_grant")
    }

    @Test("Who agreed before sees the short sheet, in a browser that is still signed in")
    func shortSheet() async throws {
        let first = try await Box()
        let signedIn = await first.signIn(await first.authorize())
        let done = await first.step(signedIn, "continue", Box.consent)
        let cookie = try #require(signedIn.cookie)
        #expect(done.hiddenFields["user"] != nil)
        let second = try await first.restarted()
        let sheet = await second.authorize(headers: [.cookie: cookie])
        #expect(sheet.returning != nil)
        let answer = await second.step(sheet, "continue", cookie: cookie)
        #expect(answer.hiddenFields["code"] != nil && answer.hiddenFields["user"] == nil)
    }

    @Test("A notification that waits is delivered by the other emulator, one that was is not again")
    func notifications() async throws {
        let first = try await Box()
        try await first.notify()
        #expect(await first.answerDue(200) == 1)
        try await first.notify()
        // It is under way when the state is told, and nobody knows what comes of it.
        let underWay = await first.apple.takeDueDeliveries(maximumCount: 1)
        let second = try await first.restarted()
        let due = await second.apple.takeDueDeliveries(maximumCount: 10)
        #expect(due.map(\.body) == underWay.map(\.body) && due.map(\.number) == [2])
        #expect(
            await second.notifications().map(\.text) == (await first.notifications()).map(\.text)
        )
    }

    @Test("The clock is as far ahead as it was") func clock() async throws {
        let first = try await Box()
        try await first.advance(bySeconds: 86_400)
        let second = try await first.restarted()
        let now = await second.apple.state()["now"]
        #expect(now == (await first.apple.state()["now"]))
    }

    @Test("Mail is there, and the relay address and its alias still lead on")
    func mail() async throws {
        let first = try await Box()
        let relay = try await first.relayAddress()
        await first.mail(to: [relay])
        await first.mail(to: [relay], from: "spam@example.net")
        let bytes = Data("Subject: \u{e9}\r\n\r\n".utf8) + [0xFF, 0xFE, 0x0D, 0x0A]
        _ = await first.apple.receiveMail(bytes, from: Box.sender, to: [relay])
        let second = try await first.restarted()
        #expect(try await second.apple.mail() == first.apple.mail())
        #expect(try await second.lastMail() == first.lastMail())
        await first.mail(to: [relay])
        #expect(await second.mail(to: [relay]).hasPrefix("250"))
        #expect(try await second.lastMail()["from"] == first.lastMail()["from"])
    }

    @Test("A transfer goes on, with the same identifier between the teams")
    func transfer() async throws {
        let lived = try await LivedIn()
        let second = try await lived.box.restarted()
        let token = try #require(lived.migrationToken)
        for box in [lived.box, second] {
            let answer = try await lived.askForPerson(box, token: token)
            #expect(answer.status == 200 && answer["sub"] != nil, "\(answer.text)")
        }
        #expect(
            try await lived.askForPerson(second, token: token).text
                == lived.askForPerson(lived.box, token: token).text
        )
    }

    @Test("A story of mishaps goes on where it was") func chaos() async throws {
        var configuration = EmulatorConfiguration()
        configuration.chaosSeed = 7
        let first = try await Box(configuration: configuration)
        for _ in 1...40 { _ = await first.send(.get, "/auth/keys") }
        let second = try await first.restarted(configuration)
        for _ in 1...40 {
            let answers = [
                await first.send(.get, "/auth/keys"), await second.send(.get, "/auth/keys"),
            ]
            #expect(answers[0].status == answers[1].status)
            #expect(answers[0].answer.delay == answers[1].answer.delay)
        }
    }

    @Test("A fault meets the same requests as without the import") func faults() async throws {
        let first = try await Box()
        _ = try await first.apple.addFault([
            "endpoint": "keys", "status": 503, "probability": .number(0.5), "seed": 7, "count": 100,
        ])
        for _ in 1...5 { _ = await first.send(.get, "/auth/keys") }
        let second = try await first.restarted()
        for _ in 1...20 {
            let statuses = [
                await first.send(.get, "/auth/keys"), await second.send(.get, "/auth/keys"),
            ]
            .map(\.status)
            #expect(statuses[0] == statuses[1])
        }
    }

    @Test("A reset goes back to the seed, with the pair that was made for it")
    func reset() async throws {
        var seed = Seed.demo()
        let first = try await AppleEmulator(seed: seed)
        let state = await first.exported()
        seed.people.removeLast()
        let second = try await AppleEmulator(importing: state, seed: seed)
        #expect(await second.state()["people"]?.arrayValue?.count == 2)
        try await second.reset()
        #expect(await second.state()["people"]?.arrayValue?.count == 1)
        #expect(await second.state()["keys"] == (await first.state()["keys"]))
    }

    @Test("Times keep their milliseconds, however often they are read") func times() throws {
        for seconds in [0, 1_769_000_000.25, 1_769_000_000.123, 1_769_000_000.999_9, -0.5] {
            let text = StateTime.text(Date(timeIntervalSince1970: seconds))
            let time = try #require(StateTime.time(text))
            #expect(abs(time.timeIntervalSince1970 - seconds) <= 0.001)
            #expect(StateTime.text(time) == text)
        }
        #expect(StateTime.text(Date(timeIntervalSince1970: 0.007)) == "1970-01-01T00:00:00.007Z")
        #expect(StateTime.time("1970-01-01T00:00:00.1") == nil)
    }
}
