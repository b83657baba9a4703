import Accounts
import AppleIdentity
import CoreMetrics
import Foundation
import ServiceLifecycle

/// Samples what reports no changes by itself: queues, connections, the outbox, the process; gives back memory.
///
/// A backend that pushes gets new values in each round. `GET /metrics` samples again what this
/// process knows itself, but does not wait for the store to read the queues.
final class MetricsSampler: Service {
    /// Seconds between two rounds.
    static let interval: TimeInterval = 10

    private let accounts: AccountsService
    private let time: TimeSource
    private let process: ProcessMeasures
    private let store: StoreMeasures
    private let outbox: [OutboxTask.Kind: OutboxGauges]
    private let validationDelay: Meter

    init(accounts: AccountsService, time: TimeSource, metrics: any MetricsFactory) {
        self.accounts = accounts
        self.time = time
        process = ProcessMeasures(startedAt: time.now, metrics)
        store = StoreMeasures(accounts.storeLoad, metrics)
        outbox = Dictionary(
            uniqueKeysWithValues: OutboxTask.Kind.allCases.map { ($0, OutboxGauges($0, metrics)) }
        )
        validationDelay = Meter(label: "siwa_refresh_validation_delay_seconds", factory: metrics)
    }

    /// Samples until the service shuts down.
    func run() async throws {
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            sample()
            await sampleQueues()
            ProcessMeasures.giveBackMemory()
            do {
                try await cancelWhenGracefulShutdown { [time] in
                    try await time.sleep(for: .seconds(Self.interval))
                }
            } catch {
                return
            }
        }
    }

    /// Samples the values that this process knows itself.
    func sample() {
        process.sample()
        store.sample(accounts)
    }

    /// Samples the outbox and the due validations; when the store fails, the last values stay.
    func sampleQueues() async {
        if let delay = try? await accounts.validationDelay() { validationDelay.set(delay) }
        guard let backlog = try? await accounts.outboxBacklog() else { return }
        let now = time.now
        for (kind, gauges) in outbox { gauges.set(backlog.counts[kind.rawValue], now: now) }
    }
}

/// The gauges of one kind of outbox entries.
private struct OutboxGauges: Sendable {
    private let waiting: Meter
    private let refused: Meter
    private let oldestAge: Meter

    init(_ kind: OutboxTask.Kind, _ metrics: any MetricsFactory) {
        func meter(_ label: String) -> Meter {
            Meter(label: label, dimensions: [("kind", kind.rawValue)], factory: metrics)
        }
        waiting = meter("siwa_outbox_waiting")
        refused = meter("siwa_outbox_refused")
        oldestAge = meter("siwa_outbox_oldest_age_seconds")
    }

    func set(_ count: OutboxBacklog.Count?, now: Date) {
        waiting.set(count?.waitingCount ?? 0)
        refused.set(count?.refusedCount ?? 0)
        oldestAge.set(count?.oldestCreatedAt.map { max(now.timeIntervalSince($0), 0) } ?? 0)
    }
}

/// The gauges of the store; some exist only for one kind of store.
private struct StoreMeasures: Sendable {
    private struct PoolMeters {
        let idle: Meter
        let inUse: Meter
        let opening: Meter
        let waiting: Meter
        let waitingReads: Meter
    }

    private let writable: Meter
    private let writesWaiting: Meter?
    private let pool: PoolMeters?

    init(_ load: StoreLoad, _ metrics: any MetricsFactory) {
        writable = Meter(label: "siwa_store_writable", factory: metrics)
        if case .writer = load {
            writesWaiting = Meter(label: "siwa_sqlite_writes_waiting", factory: metrics)
        } else {
            writesWaiting = nil
        }
        if case .pool = load { pool = Self.poolMeters(metrics) } else { pool = nil }
    }

    func sample(_ accounts: AccountsService) {
        if let isWritable = accounts.isStoreWritable { writable.set(isWritable ? 1 : 0) }
        switch accounts.storeLoad {
        case .unknown: break
        case .writer(let waitingCount): writesWaiting?.set(waitingCount)
        case .pool(let load):
            pool?.idle.set(load.idleCount)
            pool?.inUse.set(load.lentCount)
            pool?.opening.set(load.openingCount)
            pool?.waiting.set(load.waitingCount)
            pool?.waitingReads.set(load.waitingReadCount)
        }
    }

    private static func poolMeters(_ metrics: any MetricsFactory) -> PoolMeters {
        func connections(_ state: String) -> Meter {
            Meter(
                label: "siwa_postgresql_connections",
                dimensions: [("state", state)],
                factory: metrics
            )
        }
        return PoolMeters(
            idle: connections("idle"),
            inUse: connections("in_use"),
            opening: connections("opening"),
            waiting: Meter(label: "siwa_postgresql_waiting", factory: metrics),
            waitingReads: Meter(label: "siwa_postgresql_batch_waiting", factory: metrics)
        )
    }
}
