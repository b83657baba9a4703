import Accounts
import Testing

@Suite("The outbox's schedule") struct OutboxScheduleTests {
    @Test("shortens a delay by up to a random quarter")
    func jitter() {
        let schedule = OutboxSchedule()
        let waits = [0, 0.5, 1].map { schedule.delay(afterAttempts: 4, randomUnit: $0) }
        #expect(waits == [8, 7, 6])
    }

    @Test("doubles each delay up to five minutes")
    func waits() {
        let schedule = OutboxSchedule()
        let attempts = [1, 2, 3, 4, 9, 10, 100, Int.max]
        let waits = attempts.map { schedule.delay(afterAttempts: $0, randomUnit: 0) }
        #expect(waits == [1, 2, 4, 8, 256, 300, 300, 300])
    }
}
