import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulator

@Suite("Chaos by a seed") struct ChaosTests {
    private static func box(seed: UInt64) async throws -> Box {
        var configuration = EmulatorConfiguration()
        configuration.chaosSeed = seed
        return try await Box(configuration: configuration)
    }

    /// The results of many fetches and sign-ins, as clients see them.
    private static func story(seed: UInt64, interleaving: Bool = false) async throws -> [String] {
        let box = try await Self.box(seed: seed)
        var keyNumbers = KeyNumbers()
        var story: [String] = []
        for _ in 1...60 {
            if interleaving { _ = await box.send(.get, "/.well-known/openid-configuration") }
            let keys = await box.send(.get, "/auth/keys")
            let refused = await box.post("/auth/token", ["grant_type": "none", "client_id": "a"])
            try await box.decide()
            let page = await box.authorize()
            let token = TokenText(page.hiddenFields["id_token"])
            story += [
                told(keys) + " " + keyNumbers.told(keys), told(refused),
                told(page) + " " + keyNumbers.told(token),
            ]
        }
        try await box.apple.deletePerson("maya@example.com")
        return story + (await box.texts("type")).compactMap(\.self)
    }

    private static func told(_ reply: Reply) -> String {
        let delay = reply.answer.delay.map { "\($0)" } ?? "at once"
        return "\(reply.status) \(reply.answer.isDropped) \(delay)"
    }

    /// The names of keys differ from start to start; which comes where does not.
    private struct KeyNumbers {
        private var names: [String] = []

        mutating func told(_ reply: Reply) -> String {
            (reply.json["keys"]?.arrayValue ?? []).map { number(of: $0.objectValue?["kid"]) }
                .joined(separator: ",")
        }

        mutating func told(_ token: TokenText) -> String {
            let name = token.header.firstMatch(of: /"kid":"(\w+)"/).map { String($0.output.1) }
            return "signed by " + number(of: name.map { .string($0) })
                + " at \(token.claims["iat"]?.integerValue ?? 0)"
                + " with \(token.claims["email_verified"]?.text ?? "nothing")"
        }

        private mutating func number(of name: JSONValue?) -> String {
            guard let name = name?.stringValue else { return "nothing" }
            if !names.contains(name) { names.append(name) }
            return names.firstIndex(of: name).map { "\($0)" } ?? ""
        }
    }

    @Test("A seed reproduces its faults, another has others") func replay() async throws {
        let story = try await Self.story(seed: 7)
        #expect(try await Self.story(seed: 7) == story)
        #expect(try await Self.story(seed: 7, interleaving: true) == story)
        #expect(try await Self.story(seed: 8) != story)
    }

    @Test("A story has failures, delays, orders of keys and keys that sign, each more than once")
    func content() async throws {
        let story = try await Self.story(seed: 7)
        let failed = story.filter { $0.hasPrefix("5") || $0.hasPrefix("429") }
        let dropped = story.filter { $0.contains(" true ") }
        let late = story.filter { $0.contains("0.") }
        let orders = Set(
            story.compactMap { $0.split(separator: " ").last }.filter { $0.contains(",") }
        )
        let signers = Set(story.compactMap { $0.firstMatch(of: /signed by \d+/)?.output })
        for count in [failed.count, dropped.count, late.count, orders.count, signers.count] {
            #expect(count > 1 && count < story.count / 2, "\(story)")
        }
    }

    @Test("The log says what was done, and the state which seed it is") func log() async throws {
        let box = try await Self.box(seed: 3)
        for _ in 1...60 { _ = await box.send(.get, "/auth/keys") }
        let requests = await box.apple.requests()
        #expect(requests.contains { $0["error"] == "chaos" && $0["reason"] != nil })
        #expect(requests.contains { $0["hint"]?.stringValue?.contains("chaos: ") == true })
        #expect(await box.apple.state()["chaos"] == "3")
        let quiet = try await Box()
        #expect(await quiet.apple.state()["chaos"] == nil)
    }

    @Test("Every failure and every spelling comes sooner or later") func kinds() {
        var chaos = Chaos(seed: 1)
        let turns = (1...400).map { _ in chaos.turn(path: ApplePath.token) }
        #expect(Set(turns.compactMap(\.failure)).count == ChaosTurn.Failure.allCases.count)
        #expect((20...60).contains(turns.count { $0.failure != nil }))
        #expect(turns.contains { $0.renewsKey })
        #expect(turns.contains { $0.switches["boolean_claims"] == "text" })
        let pages = (1...400).map { _ in chaos.turn(path: ApplePath.authorize) }
        #expect(pages.allSatisfy { $0.failure == nil && !$0.renewsKey })
        #expect(pages.contains { $0.delayMilliseconds != nil })
        let notifications = (1...100).map { _ in chaos.notification() }
        #expect(notifications.contains { $0.duplicateCount == 1 })
        #expect(notifications.contains { $0.delaySeconds > 0 })
        #expect(
            Set(notifications.map { $0.spelling(of: .accountDeleted) })
                == [.accountDeleted, .accountDelete]
        )
        #expect(notifications.allSatisfy { $0.spelling(of: .consentRevoked) == .consentRevoked })
    }

    @Test("A sign-in that is tried again comes through, and its token verifies")
    func signIn() async throws {
        let box = try await Self.box(seed: 11)
        var exchanged = 0
        for _ in 1...40 {
            let reply = try await box.tokens()
            if reply.status == 200, !reply.answer.isDropped { exchanged += 1 }
        }
        #expect(exchanged > 25)
        let notified = await box.apple.notifications().count
        try await box.apple.deletePerson("maya@example.com")
        #expect(await box.apple.notifications().count > notified)
    }
}
