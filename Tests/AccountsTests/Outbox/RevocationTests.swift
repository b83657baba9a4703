import AccountStoreConformance
import Accounts
import AccountsSQLite
import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import ServerTestSupport
import SignInWithApple
import TestSupport
import Testing

@Suite("Revocations after a deletion", .timeLimit(.minutes(1)), AccountsWorld.lending)
struct RevocationTests {
    private let (world, service): (AccountsWorld, AccountsService)
    init() throws { (world, service) = try AccountsWorld.lent }

    @Test("reach Apple, one for each client")
    func bothClients() async throws {
        _ = try await service.signIn(world.nativeRequest())
        let receipt = try await service.signIn(world.webRequest())
        try await service.deleteAccount(receipt.session)
        #expect(try await world.worker().drain() == 2)
        let clients = await world.apple.emulator.requests()
            .filter { $0["path"]?.stringValue == ApplePath.revoke }
            .compactMap { $0["client_id"]?.stringValue }
        #expect(Set(clients) == ["com.example.juice", "com.example.juice.web"])
        #expect(try await world.stateAtApple() != "authorized")
        let backlog = try await service.outboxBacklog()
        #expect(backlog.waitingCount + backlog.refusedCount == 0)
    }

    @Test("are retried after growing delays while Apple responds with 500")
    func appleDown() async throws {
        try await world.deleteSomebody()
        try await world.apple.fail(.revoke, status: 500, times: 3)
        let worker = try world.worker()
        var attempts: [TimeInterval] = []
        let start = world.time.now
        for _ in 0..<12 {
            if await worker.drain() > 0 {
                attempts.append(world.time.now.timeIntervalSince(start))
            }
            world.time.advance(bySeconds: 1)
        }
        #expect(attempts == [0, 1, 3, 7])
        #expect(await world.statuses(of: ApplePath.revoke) == [500, 500, 500, 200])
    }

    @Test("survive a restart, even during an attempt")
    func restart() async throws {
        try await world.deleteSomebody()
        // A worker claims the entry and is never heard of again.
        let lost = try await world.sqlite.claimEntries(
            AccountStoreConformance.claim(by: "lost", at: world.time.now)
        )
        #expect(lost.count == 1)
        try world.sqlite.close()
        let second = try AccountStore(SQLiteDatabase(path: world.folder.databasePath))
        let worker = try world.worker(on: second)
        #expect(await worker.drain() == 0)
        world.time.advance(bySeconds: 120)
        #expect(await worker.drain() == 1)
        #expect(await world.statuses(of: ApplePath.revoke) == [200])
        try second.close()
    }

    @Test(
        "that Apple refuses are kept and counted, and are retried at the next start",
        arguments: ["invalid_client", "invalid_grant", "invalid_request"]
    )
    func refused(error: String) async throws {
        try await world.deleteSomebody()
        _ = try await world.apple.emulator.addFault([
            "endpoint": "revoke", "status": 400, "body": ["error": .string(error)],
        ])
        let worker = try world.worker()
        await worker.drain()
        world.time.advance(bySeconds: 100_000)
        #expect(await worker.drain() == 0)
        let backlog = try await service.outboxBacklog()
        #expect(backlog.refusedCount == 1)
        #expect(backlog.errorCounts.values.reduce(0, +) == 1)
        #expect(world.log.text.contains("outbox entry was refused and is kept"))

        try await world.runUntilIdle(try world.worker())
        #expect(await world.statuses(of: ApplePath.revoke) == [400, 200])
    }

    @Test("wait while the encryption key is missing")
    func missingKey() async throws {
        try await world.deleteSomebody()
        let otherKey = try TokenSealer(keys: TokenSealer.makeKey(identifier: "k2"))
        try await world.worker(sealer: otherKey).drain()
        #expect(try await world.service().outboxBacklog().errorCounts == ["sealing_key_unknown": 1])
        try await world.runUntilIdle(try world.worker())
        #expect(await world.statuses(of: ApplePath.revoke) == [200])
    }

    @Test("are sent once when several workers run")
    func severalWorkers() async throws {
        for number in 0..<10 {
            let email = "person\(number)@example.com"
            _ = try await world.apple.emulator.add(.person, ["email": .string(email)])
            try await world.deleteSomebody(email: email)
        }
        let workers = try (0..<4).map { _ in try world.worker() }
        let count = await withTaskGroup { group in
            for worker in workers { group.addTask { await worker.drain() } }
            return await group.reduce(into: 0) { $0 += $1 }
        }
        #expect(count == 10)
        #expect(await world.statuses(of: ApplePath.revoke) == Array(repeating: 200, count: 10))
    }

    @Test("that are still queued do not end a newer consent of the user")
    func signedInAgain() async throws {
        try await world.deleteSomebody()
        try await world.apple.fail(.revoke)
        let worker = try world.worker()
        await worker.drain()
        let service = world.service()
        #expect(try await service.signIn(world.nativeRequest()).isNewAccount)
        world.time.advance(bySeconds: 3600)
        #expect(await worker.drain() == 0)
        #expect(try await world.stateAtApple() == "authorized")

        let fresh = try await service.signIn(world.nativeRequest())
        try await service.deleteAccount(fresh.session)
        await worker.drain()
        #expect(try await world.stateAtApple() != "authorized")
    }

    @Test("are looked for regularly while the service runs")
    func polling() async throws {
        let worker = try world.worker()
        let running = Task { try await worker.run() }
        try await world.waitUntilIdle()
        try await world.deleteSomebody()
        world.time.advance(bySeconds: 2)
        #expect(try await world.statuses(of: ApplePath.revoke, count: 1) == [200])
        running.cancel()
        try await running.value
    }
}
