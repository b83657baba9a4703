import AccountStoreConformance
import Accounts
import AccountsSQLite
import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@Suite("The outbox's worker", .timeLimit(.minutes(1)), AccountsWorld.lending)
struct OutboxTimingTests {
    private let world: AccountsWorld
    init() throws { world = try AccountsWorld.lent.0 }

    @Test("starts directly after a deletion, without the clock moving")
    func signal() async throws {
        let signal = Signal()
        let service = world.service(outboxSignal: signal)
        let receipt = try await service.signIn(world.nativeRequest())
        let worker = try world.worker(signal: signal)
        let running = Task { try await worker.run() }
        try await world.waitUntilIdle()
        try await service.deleteAccount(receipt.session)
        try await waitUntil { try await service.outboxBacklog().waitingCount == 0 }
        running.cancel()
        try await running.value
        #expect(await world.statuses(of: ApplePath.revoke) == [200])
        #expect(world.log.text.contains("notice outbox entry done"))
        #expect(world.log.text.contains("notice account deleted"))
    }

    @Test("revokes tokens at once while twenty mails wait for a mail server that hangs")
    func hangingMailServer() async throws {
        let world = world.withPasswords()
        let signal = Signal()
        let service = world.service(outboxSignal: signal)
        for number in 0..<20 {
            _ = try await service.create("maya\(number)", email: "maya\(number)@example.com")
        }
        let asked = LockedValue(0)
        let hanging = MailSender { _, _ in
            asked.withLock { $0 += 1 }
            await Signal().wait()
        }
        let worker = try world.worker(signal: signal, mail: hanging)
        let running = Task { try await worker.run() }
        try await waitUntil { asked.withLock(\.self) > 0 }
        try await world.waitUntilIdle(count: 1)
        let receipt = try await service.signIn(world.nativeRequest())
        try await service.deleteAccount(receipt.session)
        #expect(try await world.statuses(of: ApplePath.revoke, count: 1) == [200])
        running.cancel()
        try await running.value
    }

    @Test(
        "keeps entries from a worker whose clock is twenty minutes behind, which may send one again"
    )
    func otherClock() async throws {
        let (slow, fast) = (world.time.now, world.time.now.addingTimeInterval(1200))
        try await world.deleteSomebody()
        let early = try await world.sqlite.claimEntries(
            AccountStoreConformance.claim(by: "slow", at: slow)
        )
        // By the other's clock, the claim has ended long ago.
        let taken = try await world.sqlite.claimEntries(
            AccountStoreConformance.claim(by: "fast", at: fast)
        )
        #expect(early.count == 1 && taken.map(\.id) == early.map(\.id))
        let entry = try #require(taken.first)
        try await world.sqlite.finishEntry(entry.id, worker: "slow", result: .done)
        #expect(try await world.sqlite.outboxBacklog().waitingCount == 1)
        // And what the fast one has claimed, the slow one leaves alone.
        let rest = try await world.sqlite.claimEntries(
            AccountStoreConformance.claim(by: "slow", at: slow)
        )
        #expect(rest.isEmpty)
        try await world.sqlite.finishEntry(entry.id, worker: "fast", result: .done)
        #expect(try await world.sqlite.outboxBacklog().waitingCount == 0)
    }

    @Test("handles a signal that was sent while it was busy, and stops on shutdown")
    func signalSentEarly() async throws {
        let signal = Signal()
        signal.send()
        let worker = try world.worker(signal: signal)
        let running = Task { try await worker.run() }
        try await world.waitUntilIdle()
        running.cancel()
        try await running.value
    }

    @Test("makes failed entries due as soon as Apple accepts another one")
    func success() async throws {
        let worker = try world.worker()
        try await world.deleteSomebody()
        try await world.apple.fail(.revoke, status: 500)
        await worker.drain()
        try await world.deleteSomebody(email: "noah@example.com")
        await worker.drain()
        #expect(try await world.service().outboxBacklog().waitingCount == 0)
    }

    @Test("retries refused entries every six hours")
    func refused() async throws {
        try await world.deleteSomebody()
        try await refuseOnce(in: world)
        let signal = Signal()
        let worker = try world.worker(signal: signal)
        let running = Task { try await worker.run() }
        _ = try await world.statuses(of: ApplePath.revoke, count: 1)
        try await world.waitUntilIdle()
        world.time.advance(bySeconds: 6 * 3600 - 1)
        try await world.waitUntilIdle()
        #expect(await world.statuses(of: ApplePath.revoke) == [400])
        world.time.advance(bySeconds: 2)
        // Heard also by one that is not asleep yet.
        signal.send()
        #expect(try await world.statuses(of: ApplePath.revoke, count: 2) == [400, 200])
        running.cancel()
        try await running.value
    }

    @Test("retries reading refused entries until the store works")
    func storeAway() async throws {
        try await world.deleteSomebody()
        try await refuseOnce(in: world)
        try await world.worker().drain()
        try await world.makeReadOnly(true)
        let signal = Signal()
        let worker = try world.worker(signal: signal)
        let running = Task { try await worker.run() }
        try await world.waitUntilIdle()
        try await world.makeReadOnly(false)
        world.time.advance(bySeconds: 2)
        // Heard also by one that is not asleep yet.
        signal.send()
        #expect(try await world.statuses(of: ApplePath.revoke, count: 2) == [400, 200])
        running.cancel()
        try await running.value
    }

    private func refuseOnce(in world: AccountsWorld) async throws {
        _ = try await world.apple.emulator.addFault([
            "endpoint": "revoke", "status": 400, "body": ["error": "invalid_client"], "count": 1,
        ])
    }
}
