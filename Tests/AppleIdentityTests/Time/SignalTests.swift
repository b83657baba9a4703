import AppleIdentity
import TestSupport
import Testing

@Suite("A wait for a signal or the time", .timeLimit(.minutes(1)))
struct SignalTests {
    @Test("ends when it rings, without the clock moving")
    func signal() async throws {
        let time = ManualTime()
        let signal = Signal()
        let waiting = Task { try await signal.wait(atMost: .seconds(5), on: time.source) }
        try await waitUntil { time.sleeperCount > 0 }
        signal.send()
        try await waiting.value
        #expect(time.sleeperCount == 0)
    }

    @Test("ends when the time is up, and not before")
    func time() async throws {
        let time = ManualTime()
        let waiting = Task { try await Signal().wait(atMost: .seconds(5), on: time.source) }
        try await waitUntil { time.sleeperCount > 0 }
        time.advance(bySeconds: 4)
        #expect(time.sleeperCount == 1)
        time.advance(bySeconds: 1)
        try await waiting.value
    }
}
