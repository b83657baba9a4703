import Foundation
import TestSupport
import Testing

@testable import AppleIdentity

@Suite("A clock moved by hand") struct ManualTimeTests {
    private let time = ManualTime()

    /// Starts a sleeper and returns once it waits.
    private func sleeper(seconds: Int) async throws -> Task<Void, any Error> {
        let count = time.sleeperCount
        let source = time.source
        let task = Task { try await source.sleep(for: .seconds(seconds)) }
        try await waitUntil { time.sleeperCount != count }
        return task
    }

    @Test("It stands still until it is moved") func standsStill() {
        let start = time.now
        #expect(time.source.now == start)
        time.advance(bySeconds: 1.5)
        #expect(time.now == start.addingTimeInterval(1.5))
        time.set(now: start)
        #expect(time.source.now == start)
    }

    @Test("A sleeper wakes when the clock reaches its moment, not before")
    func wakes() async throws {
        let task = try await sleeper(seconds: 10)
        time.advance(bySeconds: 9.999)
        #expect(time.sleeperCount == 1)
        time.advance(bySeconds: 0.001)
        #expect(time.sleeperCount == 0)
        try await task.value
    }

    @Test("One move wakes all sleepers that are due, and no other") func several() async throws {
        let first = try await sleeper(seconds: 1)
        let second = try await sleeper(seconds: 2)
        let third = try await sleeper(seconds: 60)
        time.advance(bySeconds: 30)
        try await first.value
        try await second.value
        #expect(time.sleeperCount == 1)
        time.set(now: time.now.addingTimeInterval(30))
        try await third.value
    }

    @Test("Its date can be corrected without any time passing") func corrected() async throws {
        let task = try await sleeper(seconds: 10)
        let start = time.now
        time.correct(now: start.addingTimeInterval(3_600))
        #expect(time.source.uptime == .zero && time.sleeperCount == 1)
        time.correct(now: start.addingTimeInterval(-3_600))
        time.advance(bySeconds: 10)
        #expect(time.source.uptime == .seconds(10) && time.sleeperCount == 0)
        #expect(time.now == start.addingTimeInterval(-3_590))
        try await task.value
    }

    @Test("A cancelled sleeper throws and is forgotten") func cancelled() async throws {
        let task = try await sleeper(seconds: 10)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(time.sleeperCount == 0)
        time.advance(bySeconds: 100)
    }

    @Test("A task cancelled before it sleeps does not sleep") func cancelledBefore() async {
        let source = time.source
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await source.sleep(for: .seconds(10))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(time.sleeperCount == 0)
    }

    @Test("Sleeping for nothing returns without a move") func nothing() async throws {
        let source = time.source
        let task = Task { try await source.sleep(for: .zero) }
        try await task.value
    }
}
