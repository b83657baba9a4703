import AppleIdentity
import CoreMetrics
import Foundation
import Logging
import ServiceLifecycle

/// The intervals and limits of the store's maintenance.
package struct MaintenanceSchedule: Hashable, Sendable {
    /// Seconds between two rounds, which save session uses and check that the store is writable.
    package var interval: TimeInterval = 5
    /// Seconds between two deletions of expired rows.
    package var cleanUpInterval: TimeInterval = 60
    /// Seconds between two searches for secrets that no key decrypts, each of which reads all secrets.
    package var secretSearchInterval: TimeInterval = 3600
    /// The maximum number of rows of a kind in one deleting transaction; small, because requests wait for it.
    package var maximumBatchCount = 50
    /// The maximum number of such transactions in a round.
    package var maximumBatchesPerRound = 2_000

    /// Creates a schedule with default values.
    package init() {}
}

extension AccountsService {
    /// Creates the maintenance service of this service's store.
    package func maintenance(
        schedule: MaintenanceSchedule = MaintenanceSchedule(),
        signal: Signal = Signal(),
        appleClock: AppleClock? = nil
    ) -> MaintenanceService {
        MaintenanceService(
            accounts: self,
            schedule: schedule,
            signal: signal,
            appleClock: appleClock
        )
    }
}

/// Maintains the store apart from requests: saves session uses in batches, deletes expired rows, wipes traces of
/// deleted rows, checks that the store is writable, and looks for secrets that no key decrypts.
package struct MaintenanceService: Service {
    let accounts: AccountsService
    let schedule: MaintenanceSchedule
    /// Sent after a deletion.
    let signal: Signal
    let appleClock: AppleClock?

    private var store: AccountStore { accounts.store }
    private var time: TimeSource { accounts.time }
    private var logger: Logger { accounts.logger }

    /// Maintains the store until the service shuts down, and then saves the remaining session uses.
    package func run() async throws {
        var cleansUpAt = time.uptime
        var searchesAt = time.uptime
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            await lookAfter()
            if time.uptime >= cleansUpAt {
                await cleanUp()
                cleansUpAt = time.uptime + .seconds(schedule.cleanUpInterval)
            }
            if time.uptime >= searchesAt {
                await searchSecrets()
                searchesAt = time.uptime + .seconds(schedule.secretSearchInterval)
            }
            do {
                try await cancelWhenGracefulShutdown {
                    try await signal.wait(atMost: .seconds(schedule.interval), on: time)
                }
            } catch {
                break
            }
        }
        await writeUses()
        await recordSkippedRefusals(isLast: true)
        await wipeTraces()
    }

    /// Does the frequent work: checks the store, saves session uses, wipes traces.
    package func lookAfter() async {
        await tryWriting()
        await writeUses()
        await recordSkippedRefusals(isLast: false)
        await wipeTraces()
    }

    /// Records the number of skipped refusals when no later refusal records it.
    private func recordSkippedRefusals(isLast: Bool) async {
        guard let count = accounts.auditBudget.takeSkipped(now: time.uptime, isLast: isLast) else {
            return
        }
        let entry = AuditEntry.skipped(count, now: time.now)
        await attempt("recording refusals in the audit log") {
            () async throws(AccountStoreError) in
            do throws(AccountStoreError) {
                try await store.record([entry])
            } catch {
                accounts.auditBudget.takeBackRefusals(count)
                throw error
            }
        }
    }

    private func wipeTraces() async {
        await attempt("wiping traces of deleted rows") { () async throws(AccountStoreError) in
            try await store.wipeTraces()
        }
    }

    /// Seconds by which this clock may differ from the database's and Apple's: a wrong clock would delete what has
    /// not expired.
    package static let maximumClockDifference: TimeInterval = 3600

    /// Deletes expired rows, a limited number in each transaction.
    package func cleanUp() async {
        guard await isClockRight() else { return }
        let now = time.now
        let auditLimit = now.addingTimeInterval(-accounts.configuration.auditMemory)
        await forget("old audit log entries") { count throws(AccountStoreError) in
            try await store.forgetAuditEntries(until: auditLimit, maximumCount: count)
        }
        await forget("expired rows") { count throws(AccountStoreError) in
            try await store.forgetExpired(now: now, maximumCount: count)
        }
    }

    private func searchSecrets() async {
        guard let secrets = try? await accounts.unopenedSecrets(), secrets.count > 0 else { return }
        logger.critical(
            "no key of SIWA_SEALING_KEYS decrypts these secrets",
            metadata: ["keys": "\(secrets)"]
        )
    }

    private func isClockRight() async -> Bool {
        var isRight = false
        await attempt("reading the database's clock") { () async throws(AccountStoreError) in
            let clocks = [try await store.clock(), appleClock?.now].compactMap(\.self)
            // SQLite has no clock of its own: nothing is deleted before Apple's first response.
            if clocks.isEmpty, let appleClock {
                if appleClock.isWarningDue() { warnOfSilence() }
                return
            }
            let differences = clocks.map { time.now.timeIntervalSince($0) }
            let difference = differences.max { abs($0) < abs($1) } ?? 0
            accounts.measures.clockDifference.set(difference)
            isRight = abs(difference) <= Self.maximumClockDifference
            guard !isRight else { return }
            let words = "\(Int(abs(difference))) seconds \(difference > 0 ? "ahead of" : "behind")"
            logger.error(
                "nothing expired is deleted, because the clocks differ",
                metadata: [
                    "hint": "this clock is \(words) the database's or Apple's; synchronize with NTP"
                ]
            )
        }
        return isRight
    }

    private func warnOfSilence() {
        logger.warning(
            "nothing expired is deleted, because there was no response of Apple yet",
            metadata: ["hint": "allow requests to Apple: this clock is compared with theirs"]
        )
    }

    private func forget(
        _ what: String,
        _ forgetBatch: (Int) async throws(AccountStoreError) -> Int
    ) async {
        await attempt("deleting \(what)") { () async throws(AccountStoreError) in
            // The next round deletes the rest: session uses and readiness must not wait for all of it.
            for _ in 0..<schedule.maximumBatchesPerRound {
                if Task.isCancelled || Task.isShuttingDownGracefully { return }
                if try await forgetBatch(schedule.maximumBatchCount) == 0 { return }
            }
        }
    }

    private func writeUses() async {
        let batch = accounts.uses.drain()
        guard !batch.isEmpty else { return }
        await attempt("saving session uses") { () async throws(AccountStoreError) in
            do throws(AccountStoreError) {
                try await store.recordUses(batch)
            } catch {
                // The next round saves them.
                for use in batch { accounts.uses.add(use) }
                throw error
            }
        }
    }

    func tryWriting() async {
        let before = accounts.readiness.failure
        do {
            try await store.checkWriting(as: accounts.sealingKeys, now: time.now)
            accounts.readiness.found(nil)
            if before != nil { logger.notice("the store is writable again") }
        } catch {
            accounts.readiness.found(error)
            logger.error("the store is not writable", metadata: ["hint": "\(error.hint)"])
        }
    }

    private func attempt(_ what: String, _ work: () async throws(AccountStoreError) -> Void) async {
        do {
            try await work()
        } catch {
            logger.warning("\(what) failed", metadata: ["hint": "\(error.hint)"])
        }
    }
}
