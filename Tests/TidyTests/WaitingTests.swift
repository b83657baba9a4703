import TestSupport
import Testing

@Suite("Waiting in a test") struct WaitingTests {
    @Test("ends as soon as what is waited for has come") func comesAtLast() async throws {
        var count = 0
        try await waitUntil {
            count += 1
            return count == 10
        }
        #expect(count == 10)
    }

    @Test("ends at its limit when it never comes") func never() async throws {
        let hasCome = try await comes(within: .zero) { false }
        #expect(!hasCome)
    }

    @Test("ends with the test that waits") func cancelled() async {
        let waiting = Task { try await waitUntil { false } }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
