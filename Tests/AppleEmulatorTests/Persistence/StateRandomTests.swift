import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulator

@Suite("Whatever happened, what is exported can be imported") struct StateRandomTests {
    private static let operationCount = 200
    private static let importCount = 8

    @Test(
        "Thousands of operations, and many imports between them",
        arguments: 1...4 as ClosedRange<UInt64>
    )
    func randomLives(seed: UInt64) async throws {
        var configuration = EmulatorConfiguration()
        configuration.chaosSeed = seed % 2 == 0 ? seed : nil
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
