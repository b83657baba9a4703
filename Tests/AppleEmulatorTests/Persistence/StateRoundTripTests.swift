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

    @Test("A refresh token stays valid, and the user is the same")
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
        // It is under way when the state is exported, and its result is unknown.
        let underWay = await first.apple.takeDueDeliveries(maximumCount: 1)
        let second = try await first.restarted()
        let due = await second.apple.takeDueDeliveries(maximumCount: 10)
        #expect(due.map(\.body) == underWay.map(\.body) && due.map(\.number) == [2])
        #expect(
            await second.notifications().map(\.text) == (await first.notifications()).map(\.text)
        )
    }

    @Test("Mail is present, and the relay address and its alias still work")
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

    @Test("A transfer continues with the same transfer identifier") func transfer() async throws {
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

    @Test("The data folder keeps all but mail, faults and browser sessions")
    func folder() async throws {
        let lived = try await LivedIn()
        let kept = try StateText(await lived.box.apple.takeState())
        let exported = try StateText(await lived.box.apple.exported())
        for member in exported.object.members {
            let isKept = !StateSection.exportedOnly.contains(member.name)
            #expect(kept.object[member.name] == (isKept ? member.value : nil), "\(member.name)")
        }
        let second = try await Box(importing: kept.object.data, as: lived.box)
        #expect(await second.notifications() == lived.box.notifications())
        #expect(try await second.apple.mail()["messages"] == [])
        #expect(await second.apple.faults().isEmpty)
    }

    @Test("A section of an earlier version is ignored") func formerSections() async throws {
        let box = try await Box()
        let state = try StateText(await box.apple.exported())
        let old = state.changing("chaos", to: ["seed": "1", "counts": []])
        try await box.apple.importState(old)
        #expect(try StateText(await box.apple.exported()).object == state.object)
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

    private static let operationCount = 200
    private static let importCount = 8

    @Test(
        "Thousands of operations, and many imports between them",
        arguments: 1...4 as ClosedRange<UInt64>
    )
    func randomLives(seed: UInt64) async throws {
        var configuration = EmulatorConfiguration()
        configuration.identifierKey = seed > 2 ? Data(repeating: 7, count: 16) : nil
        var life = RandomLife(box: try await Box(configuration: configuration), seed: seed)
        for _ in 1...Self.importCount {
            await life.live(operationCount: Self.operationCount)
            let before = life.box
            let second = try await before.restarted(configuration)
            try await Self.expectSame(before, second)
            life.box = second
        }
        try await Self.expectSameBehaviour(&life, configuration)
    }

    private static func expectSame(_ first: Box, _ second: Box) async throws {
        let texts = [await first.apple.exported(), await second.apple.exported()]
            .map { String(decoding: $0, as: UTF8.self).split(separator: "\n") }
        for (line, other) in zip(texts[0], texts[1]) where line != other {
            Issue.record("exported \(line.prefix(500)), then \(other.prefix(500))")
        }
        #expect(texts[0].count == texts[1].count)
        for (state, other) in zip(
            await first.apple.state().members,
            await second.apple.state().members
        ) {
            #expect(state == other, "\(state.name)")
        }
        let mails = [try await first.apple.mail(), try await second.apple.mail()].map(\.text)
        // What is on its way to a mail server is handed on once more.
        #expect(mails[0].replacing("\"under_way\"", with: "\"pending\"") == mails[1])
        #expect(await first.notifications() == second.notifications())
    }

    /// Keys, codes and tokens are what they were, and people who they were.
    private static func expectSameBehaviour(
        _ life: inout RandomLife,
        _ configuration: EmulatorConfiguration
    ) async throws {
        let first = life.box
        await first.apple.clearFaults()
        _ = try await first.apple.changeSwitches([
            "code_reuse": "refused", "throttled_refresh": "never",
        ])
        let second = try await first.restarted(configuration)
        func both(_ act: (Box) async throws -> Reply) async throws {
            let replies = [try await act(first), try await act(second)]
            #expect(replies[0].status == replies[1].status)
            #expect(replies[0]["error"] == replies[1]["error"])
            let subjects = replies.map { TokenText($0["id_token"]).claims["sub"] }
            #expect(subjects[0] == subjects[1])
        }
        try await both { await $0.send(.get, "/auth/keys") }
        for code in life.codes.suffix(60) { try await both { try await $0.exchange(code) } }
        for token in life.refreshTokens { try await both { try await $0.refresh(token) } }
        for relay in life.relays {
            #expect(await first.mail(to: [relay]).prefix(3) == second.mail(to: [relay]).prefix(3))
        }
    }
}
