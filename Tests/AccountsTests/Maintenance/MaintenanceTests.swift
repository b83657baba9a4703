import AccountStoreConformance
import Accounts
import AccountsSQL
import AppleIdentity
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@Suite("Maintenance", .timeLimit(.minutes(1)), AccountsWorld.lending) struct MaintenanceTests {
    private let (world, service): (AccountsWorld, AccountsService)
    init() throws { (world, service) = try AccountsWorld.lent }

    @Test("checks whether the store is writable")
    func readiness() async throws {
        try await service.checkReadiness()
        let maintenance = world.maintenance()
        try await world.makeReadOnly(true)
        await maintenance.lookAfter()
        let error = await #expect(throws: AccountsError.self) { try await service.checkReadiness() }
        #expect(error?.code == .storeUnavailable)
        try await world.makeReadOnly(false)
        await maintenance.lookAfter()
        try await service.checkReadiness()
        #expect(world.log.text.contains("notice the store is writable again"))
    }

    @Test("saves buffered session uses before it stops")
    func stopping() async throws {
        let receipt = try await service.signIn(world.nativeRequest())
        let running = Task { try await world.maintenance().run() }
        try await sleeping(on: world.time)
        world.time.advance(bySeconds: 3_601)
        try await sleeping(on: world.time)
        _ = try await service.authenticate(receipt.token.text)
        running.cancel()
        try await running.value
        let listed = try await world.sqlite.sessions(of: receipt.account.id, now: world.time.now)
        #expect(listed.first?.lastUsedAt == world.time.now)
    }

    @Test("deletes expired rows once a minute, in batches")
    func cleanUp() async throws {
        for number in 0..<7 {
            let sample = SampleSignIn(user: UserID("\(number)"), now: world.time.now)
            try await world.sqlite.signIn(sample)
        }
        var schedule = MaintenanceSchedule()
        schedule.maximumBatchCount = 2
        let running = Task { [schedule] in try await world.maintenance(schedule: schedule).run()
        }
        try await sleeping(on: world.time)
        world.time.advance(bySeconds: 3600)
        try await sleeping(on: world.time)
        running.cancel()
        try await running.value
        let left = try await contents(of: world.sqlite).filter { $0.hasPrefix("sessions") }
        #expect(left.isEmpty)
    }

    private func sleeping(on time: ManualTime) async throws {
        try await waitUntil { time.sleeperCount > 0 }
    }
}
