import AppleIdentity
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AccountsPostgreSQL

@Suite("The lane of transactions that begin again", .timeLimit(.minutes(1)))
struct RetryLaneTests {
    private let time = ManualTime()
    private let end: Duration = .seconds(10)

    /// Starts one that waits, and comes back once it does.
    private func waiter(
        _ lane: RetryLane,
        _ body: @escaping @Sendable (Bool) -> Void
    ) async throws -> Task<Void, Never> {
        let count = lane.waitingCount
        let task = Task { body(await lane.enter(until: end)) }
        try await waitUntil { lane.waitingCount != count }
        return task
    }

    @Test("is given to whoever has waited longest, and to one at a time")
    func order() async throws {
        let lane = RetryLane(time: time.source)
        #expect(await lane.enter(until: end))
        let turns = Mutex<[Int]>([])
        var waiting: [Task<Void, Never>] = []
        for number in 0..<5 {
            waiting.append(
                try await waiter(lane) { hasLane in
                    if hasLane { turns.withLock { $0.append(number) } }
                }
            )
        }
        for (number, task) in waiting.enumerated() {
            #expect(turns.withLock(\.self) == Array(0..<number))
            lane.leave()
            await task.value
        }
        #expect(turns.withLock(\.self) == Array(0..<5))
        #expect(lane.waitingCount == 0)
    }

    @Test("is free again when the last one has left")
    func leaving() async throws {
        let lane = RetryLane(time: time.source)
        for _ in 0..<3 {
            #expect(await lane.enter(until: end))
            lane.leave()
        }
        #expect(await lane.enter(until: end))
        let next = try await waiter(lane) { #expect($0) }
        lane.leave()
        await next.value
        // The next one has the lane now: another one waits for it.
        let last = try await waiter(lane) { #expect($0) }
        lane.leave()
        await last.value
    }

    @Test("sends those away at once who would make too many wait, and keeps the others' turns")
    func limit() async throws {
        let lane = RetryLane(time: time.source)
        #expect(await lane.enter(until: end))
        let turnCount = Mutex(0)
        var waiting: [Task<Void, Never>] = []
        for _ in 0..<RetryLane.maximumWaitingCount {
            waiting.append(try await waiter(lane) { if $0 { turnCount.withLock { $0 += 1 } } })
        }
        #expect(await lane.enter(until: end) == false)
        #expect(lane.waitingCount == RetryLane.maximumWaitingCount)
        // One who leaves makes room for one.
        lane.leave()
        waiting.append(try await waiter(lane) { if $0 { turnCount.withLock { $0 += 1 } } })
        #expect(await lane.enter(until: end) == false)
        for _ in 0..<RetryLane.maximumWaitingCount { lane.leave() }
        for task in waiting { await task.value }
        #expect(turnCount.withLock(\.self) == RetryLane.maximumWaitingCount + 1)
        lane.leave()
        #expect(await lane.enter(until: end))
    }

    @Test("lets nobody wait longer than their time, and keeps the turns of the others")
    func late() async throws {
        let lane = RetryLane(time: time.source)
        #expect(await lane.enter(until: end))
        let count = Mutex((late: 0, patient: 0))
        let late = try await waiter(lane) { if !$0 { count.withLock { $0.late += 1 } } }
        time.advance(bySeconds: 5)
        let patient = Task {
            let hasLane = await lane.enter(until: .seconds(15))
            count.withLock { $0.patient += hasLane ? 1 : 0 }
        }
        try await waitUntil { lane.waitingCount >= 2 }
        // The machine's clock is corrected meanwhile: it does not count.
        time.correct(now: time.now.addingTimeInterval(-3_600))
        time.advance(bySeconds: 5)
        await late.value
        #expect(lane.waitingCount == 1)
        lane.leave()
        await patient.value
        #expect(count.withLock { $0.late == 1 && $0.patient == 1 })
    }
}
