import Synchronization
import Testing

@testable import AccountsPostgreSQL

@Suite("The lane of transactions that begin again", .timeLimit(.minutes(1)))
struct RetryLaneTests {
    /// Starts one that waits, and comes back once it does.
    private func waiter(
        _ lane: RetryLane,
        _ body: @escaping @Sendable (Bool) -> Void
    ) async -> Task<Void, Never> {
        let count = lane.waitingCount
        let task = Task { body(await lane.enter()) }
        while lane.waitingCount == count { await Task.yield() }
        return task
    }

    @Test("is given to whoever has waited longest, and to one at a time")
    func order() async {
        let lane = RetryLane()
        #expect(await lane.enter())
        let turns = Mutex<[Int]>([])
        var waiting: [Task<Void, Never>] = []
        for number in 0..<5 {
            waiting.append(
                await waiter(lane) { hasLane in
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
    func leaving() async {
        let lane = RetryLane()
        for _ in 0..<3 {
            #expect(await lane.enter())
            lane.leave()
        }
        #expect(await lane.enter())
        let next = await waiter(lane) { #expect($0) }
        lane.leave()
        await next.value
        // The next one has the lane now: another one waits for it.
        let last = await waiter(lane) { #expect($0) }
        lane.leave()
        await last.value
    }

    @Test("sends those away at once who would make too many wait, and keeps the others' turns")
    func limit() async {
        let lane = RetryLane()
        #expect(await lane.enter())
        let turnCount = Mutex(0)
        var waiting: [Task<Void, Never>] = []
        for _ in 0..<RetryLane.maximumWaitingCount {
            waiting.append(await waiter(lane) { if $0 { turnCount.withLock { $0 += 1 } } })
        }
        #expect(await lane.enter() == false)
        #expect(lane.waitingCount == RetryLane.maximumWaitingCount)
        // One who leaves makes room for one.
        lane.leave()
        waiting.append(await waiter(lane) { if $0 { turnCount.withLock { $0 += 1 } } })
        #expect(await lane.enter() == false)
        for _ in 0..<RetryLane.maximumWaitingCount { lane.leave() }
        for task in waiting { await task.value }
        #expect(turnCount.withLock(\.self) == RetryLane.maximumWaitingCount + 1)
        lane.leave()
        #expect(await lane.enter())
    }
}
