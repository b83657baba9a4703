import AppleIdentity
import Foundation
import TestSupport
import Testing

@Suite("Deadlines by one timer")
struct DeadlinesTests {
    private struct Late: Error {}

    @Test("are missed once each, in time, in any order", .timeLimit(.minutes(1)))
    func missed() async throws {
        let time = ManualTime()
        let deadlines = Deadlines()
        let missed = LockedValue<[Int]>([])
        for seconds in [30, 10, 20] {
            _ = deadlines.add(after: .seconds(seconds), by: time.source) {
                missed.withLock { $0.append(seconds) }
            }
        }
        // Two timers: an earlier deadline was added after a later one, and the third needs none.
        try await waitUntil { time.sleeperCount >= 2 }
        for (step, expected) in [(10.0, [10]), (10.0, [10, 20]), (10.0, [10, 20, 30])] {
            time.advance(bySeconds: step)
            try await waitUntil { missed.withLock({ $0.count }) >= expected.count }
            #expect(missed.withLock { $0 } == expected)
            if expected.count < 3 { try await waitUntil { time.sleeperCount > 0 } }
        }
        try await waitUntil { time.sleeperCount == 0 }
    }

    @Test("that are removed are not missed, and need no timer afterwards", .timeLimit(.minutes(1)))
    func removed() async throws {
        let time = ManualTime()
        let deadlines = Deadlines()
        let name = deadlines.add(after: .seconds(10), by: time.source) {
            Issue.record("a deadline that was removed has passed")
        }
        deadlines.remove(name)
        try await waitUntil { time.sleeperCount > 0 }
        time.advance(bySeconds: 10)
        try await waitUntil { time.sleeperCount == 0 }
        // The next one has a timer again.
        let missed = LockedValue(false)
        _ = deadlines.add(after: .seconds(5), by: time.source) { missed.withLock { $0 = true } }
        try await waitUntil { time.sleeperCount > 0 }
        time.advance(bySeconds: 5)
        try await waitUntil { missed.withLock({ $0 }) }
    }

    @Test(
        "neither wait longer nor pass earlier because the clock is set meanwhile",
        .timeLimit(.minutes(1)),
        arguments: [-86_400.0, 86_400]
    )
    func clockIsSet(by seconds: Double) async throws {
        let time = ManualTime()
        let deadlines = Deadlines()
        let missed = LockedValue<[Int]>([])
        func add(after seconds: Int) {
            _ = deadlines.add(after: .seconds(seconds), by: time.source) {
                missed.withLock { $0.append(seconds) }
            }
        }
        add(after: 10)
        add(after: 30)
        try await waitUntil { time.sleeperCount > 0 }
        time.correct(now: time.now.addingTimeInterval(seconds))
        // A deadline that is added afterwards is ordered among the others.
        add(after: 20)
        for expected in [[10], [10, 20], [10, 20, 30]] {
            time.advance(bySeconds: 10)
            try await waitUntil { missed.withLock({ $0.count }) >= expected.count }
            #expect(missed.withLock { $0 } == expected)
            if expected.count < 3 { try await waitUntil { time.sleeperCount > 0 } }
        }
    }

    @Test("cancel work that takes too long, and nothing else", .timeLimit(.minutes(1)))
    func operations() async throws {
        let time = ManualTime()
        let source = time.source
        #expect(try await source.within(.seconds(10), late: Late()) { 7 } == 7)
        let endless = Task {
            try await source.within(.seconds(10), late: Late()) { try await Self.waitForEver() }
        }
        try await waitUntil { source.deadlines.count > 0 }
        time.advance(bySeconds: 10)
        await #expect(throws: Late.self) { try await endless.value }
        let cancelled = Task {
            try await source.within(.seconds(10), late: Late()) { try await Self.waitForEver() }
        }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }

    /// Ends only when it is cancelled.
    private static func waitForEver() async throws {
        let (nothing, sender) = AsyncStream.makeStream(of: Never.self)
        for await _ in nothing {}
        withExtendedLifetime(sender) {}
        try Task.checkCancellation()
    }
}
