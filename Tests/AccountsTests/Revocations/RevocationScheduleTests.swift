import Accounts
import Testing

@Suite("The outbox's schedule")
struct RevocationScheduleTests {
    @Test("doubles each wait up to five minutes, for ever")
    func waits() {
        let schedule = RevocationSchedule()
        let attempts = [1, 2, 3, 4, 9, 10, 100, Int.max]
        let waits = attempts.map { schedule.delay(afterAttempts: $0) }
        #expect(waits == [1, 2, 4, 8, 256, 300, 300, 300])
    }
}
