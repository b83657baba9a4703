import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulator

@Suite("Chaos by a seed")
struct ChaosTests {
    /// What each of many sign-ins and fetches met, as the log tells it.
    private static func story(seed: UInt64, interleaving: Bool = false) async throws -> [String] {
        var configuration = EmulatorConfiguration()
        configuration.chaosSeed = seed
        let box = try await Box(configuration: configuration)
        var statuses: [String] = []
        for _ in 1...60 {
            if interleaving { _ = await box.send(.get, "/.well-known/openid-configuration") }
            let keys = await box.send(.get, "/auth/keys")
            let token = await box.post("/auth/token", ["grant_type": "none", "client_id": "a"])
            statuses += [keys, token].map { reply in
                let delay = reply.answer.delay.map { "\($0)" } ?? "at once"
                return "\(reply.status) \(reply.answer.isDropped) \(delay)"
            }
        }
        return statuses
    }

    @Test("One seed tells one story, another another")
    func replay() async throws {
        let story = try await Self.story(seed: 7)
        #expect(try await Self.story(seed: 7) == story)
        #expect(try await Self.story(seed: 7, interleaving: true) == story)
        #expect(try await Self.story(seed: 8) != story)
        #expect(story.contains { $0.hasPrefix("503") } || story.contains { $0.contains("true") })
        #expect(story.contains("200 false at once"))
    }

    @Test("The log says what was done, and the state which seed it is")
    func log() async throws {
        var configuration = EmulatorConfiguration()
        configuration.chaosSeed = 3
        let box = try await Box(configuration: configuration)
        for _ in 1...60 { _ = await box.send(.get, "/auth/keys") }
        let requests = await box.apple.requests()
        #expect(requests.contains { $0["error"] == "chaos" && $0["reason"] != nil })
        #expect(
            requests.contains { $0["hint"]?.stringValue?.contains("chaos: ") == true }
        )
        #expect(await box.apple.state()["chaos"] == "3")
        let quiet = try await Box()
        #expect(await quiet.apple.state()["chaos"] == nil)
    }

    @Test("Every mishap and every spelling comes sooner or later")
    func kinds() {
        var chaos = Chaos(seed: 1)
        let turns = (1...400).map { _ in chaos.turn(path: ApplePath.token) }
        let mishaps = Set(turns.compactMap(\.mishap))
        #expect(mishaps.count == ChaosTurn.Mishap.allCases.count)
        #expect((20...60).contains(turns.count { $0.mishap != nil }))
        #expect(turns.contains { $0.renewsKey })
        #expect(turns.contains { $0.switches["boolean_claims"] == "text" })
        let pages = (1...400).map { _ in chaos.turn(path: ApplePath.authorize) }
        #expect(pages.allSatisfy { $0.mishap == nil && !$0.renewsKey })
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
        var configuration = EmulatorConfiguration()
        configuration.chaosSeed = 11
        let box = try await Box(configuration: configuration)
        var exchanged = 0
        for _ in 1...40 {
            let code = try await box.signInOnTheWeb()["code"] ?? ""
            let reply = try await box.exchange(code)
            if reply.status == 200, !reply.answer.isDropped { exchanged += 1 }
        }
        #expect(exchanged > 25)
        let notified = await box.apple.notifications().count
        try await box.apple.deletePerson("maya@example.com")
        #expect(await box.apple.notifications().count > notified)
    }
}
