import AccountStoreConformance
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import ServerTestSupport
import SignInWithApple
import TestSupport
import Testing

@testable import Accounts

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
        _ = try await service.session(token: receipt.token.text)
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

    /// Deletes what has expired by the clock of a server that is ahead of Apple's.
    private func sessionsLeft(aheadBy seconds: TimeInterval) async throws -> Int {
        let clock = AppleClock(time: world.time.source)
        let transport = clock.reading(world.apple.transport)
        let apple = AppleSignIn(
            configuration: try world.apple.signInConfiguration(),
            transport: transport,
            time: world.time.source
        )
        _ = try await service.signIn(world.nativeRequest(of: apple))
        world.time.advance(bySeconds: 60)
        let right = world.time.now
        world.time.correct(now: right + seconds)
        await service.maintenance(appleClock: clock).cleanUp()
        world.time.correct(now: right)
        return try await contents(of: world.sqlite).count { $0.hasPrefix("sessions") }
    }

    @Test("deletes nothing by a clock that is an hour away from Apple's, and says so")
    func wrongClock() async throws {
        for seconds in [400 * 86_400, 3602, -3602] as [TimeInterval] {
            #expect(try await sessionsLeft(aheadBy: seconds) > 0)
            #expect(world.log.text.contains("the clocks differ"))
            let words = "\(Int(abs(seconds))) seconds \(seconds > 0 ? "ahead of" : "behind")"
            #expect(world.log.text.contains(words))
        }
    }

    @Test("deletes nothing in SQLite before Apple's first response, by which the clock is checked")
    func unknownClock() async throws {
        _ = try await service.signIn(world.nativeRequest())
        let right = world.time.now
        world.time.correct(now: right + 400 * 86_400)
        let clock = AppleClock(time: world.time.source)
        await service.maintenance(appleClock: clock).cleanUp()
        world.time.correct(now: right)
        #expect(try await contents(of: world.sqlite).contains { $0.hasPrefix("sessions") })
    }

    @Test("warns when Apple has not responded for an hour after the start, once an hour")
    func silentApple() async throws {
        let maintenance = service.maintenance(appleClock: AppleClock(time: world.time.source))
        func warningCount(after seconds: TimeInterval) async -> Int {
            world.time.advance(bySeconds: seconds)
            await maintenance.cleanUp()
            return world.log.text.split(separator: "\n").count {
                $0.contains("no response of Apple")
            }
        }
        #expect(await warningCount(after: 0) == 0)
        #expect(await warningCount(after: 3599) == 0)
        #expect(await warningCount(after: 1) == 1)
        #expect(await warningCount(after: 60) == 1)
        #expect(await warningCount(after: 3600) == 2)
    }

    @Test("deletes by a clock that is some minutes away from Apple's")
    func slightlyWrongClock() async throws {
        _ = try await sessionsLeft(aheadBy: 3598)
        #expect(!world.log.text.contains("the clocks differ"))
    }

    private func sleeping(on time: ManualTime) async throws {
        try await waitUntil { time.sleeperCount > 0 }
    }
}
