import Accounts
import AppleIdentity
import CoreMetrics
import Foundation
import Logging
import Synchronization

/// The connections of one process, opened when they are needed and lent to one transaction at a time.
final class ConnectionPool: Sendable {
    /// How many calls may wait for a connection; the next one is told that the store is busy.
    static let maximumWaiterCount = 2_000
    /// How long a call waits for a connection.
    static let maximumWait: Duration = .seconds(3)
    /// Seconds between two attempts to connect: the first pause, and the longest.
    static let pauses: ClosedRange<TimeInterval> = 0.05...2

    private typealias Answer = Result<PostgreSQLConnection, AccountStoreError>

    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<Answer, Never>
        let deadline: Deadlines.Name
    }

    private struct State {
        var idle = IdleConnections()
        /// On which the server may still be at work for nobody, in the order in which they were given up.
        var abandoned: [PostgreSQLConnection] = []
        /// Whether a task waits until something has been idle for too long.
        var isWatchingIdle = false
        /// Idle, lent and about to be opened.
        var count = 0
        var connectingCount = 0
        /// The number of the server that is tried first.
        var firstHost = 0
        var waiters: [Waiter] = []
        var waiterCount = 0
        /// Attempts to connect that failed since one worked.
        var failureCount = 0
        var failure: AccountStoreError?
        var isClosed = false
    }

    let settings: ConnectionSettings
    private let hostCount: Int
    let time: TimeSource
    let randomUnit: @Sendable () -> Double
    private let logger: Logger
    /// How long calls wait for a connection.
    private let waits: CoreMetrics.Timer
    private let state = Mutex(State())

    init(
        _ settings: ConnectionSettings,
        time: TimeSource,
        randomUnit: @escaping @Sendable () -> Double,
        logger: Logger,
        metrics: any MetricsFactory
    ) {
        self.settings = settings
        hostCount = settings.hosts.count
        self.time = time
        self.randomUnit = randomUnit
        self.logger = logger
        waits = CoreMetrics.Timer(label: "siwa_postgresql_wait_seconds", factory: metrics)
    }

    /// How many calls wait for a connection, for tests and metrics.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// How busy the connections are, together with what waits before it needs one.
    func load(waitingReadCount: Int) -> PoolLoad {
        state.withLock { state in
            PoolLoad(
                idleCount: state.idle.count,
                lentCount: state.count - state.idle.count - state.connectingCount,
                openingCount: state.connectingCount,
                waitingCount: state.waiters.count,
                waitingReadCount: waitingReadCount
            )
        }
    }

    /// How many connections nobody uses, for tests and metrics.
    var idleCount: Int { state.withLock { $0.idle.count } }

    /// Lends a connection; whoever gets it gives it back.
    nonisolated(nonsending) func lend() async throws(AccountStoreError) -> PostgreSQLConnection {
        let start = time.uptime
        let answer: Answer = await withCheckedContinuation { continuation in
            let answer = state.withLock { take(&$0, continuation) }
            if let answer { return continuation.resume(returning: answer) }
            openWanted()
        }
        waits.recordSeconds((time.uptime - start) / .seconds(1))
        return try answer.get()
    }

    /// Takes a connection back; one that can't be used is replaced when somebody waits.
    nonisolated(nonsending) func giveBack(_ connection: PostgreSQLConnection) async {
        let connectionState = connection.state
        if connectionState.isUsable, !connectionState.isInTransaction {
            return pass(on: connection)
        }
        let isLost = !connectionState.isUsable
        let (spoilt, closing) = state.withLock { state in
            let spoilt = [connection] + (isLost ? removeSpoilt(with: connection, &state) : [])
            return (spoilt, spoilt.flatMap { closable($0, &state) })
        }
        for connection in closing { await connection.close() }
        state.withLock { $0.count -= spoilt.count }
        openWanted()
    }

    /// What one connection has lost, a server that is gone or hangs, the others to it most likely have too.
    ///
    /// Each would cost its next user the same wait, and so would a new one to a server that hangs, when there are others. A
    /// COMMIT tells nothing about that: it may wait for another server.
    private func removeSpoilt(
        with connection: PostgreSQLConnection,
        _ state: inout State
    ) -> [PostgreSQLConnection] {
        if state.firstHost == connection.state.host, connection.state.isSilent {
            state.firstHost = (connection.state.host + 1) % hostCount
        }
        return state.idle.removeAll(to: connection.state.host)
    }

    /// What can be closed instead of a connection, which may stay for a while: it has been abandoned, but is not one of too
    /// many.
    private func closable(
        _ connection: PostgreSQLConnection,
        _ state: inout State
    ) -> [PostgreSQLConnection] {
        guard connection.state.isAbandoned, !state.isClosed else {
            return [connection]
        }
        state.abandoned.removeAll { !$0.state.isAbandoned }
        state.abandoned.append(connection)
        let excess = state.abandoned.prefix(max(state.abandoned.count - settings.poolSize, 0))
        defer { state.abandoned.removeFirst(excess.count) }
        return Array(excess)
    }

    /// Closes what is idle; what is lent is closed when it comes back.
    func close() {
        let (connections, waiters) = state.withLock { state in
            state.isClosed = true
            defer { (state.waiters, state.abandoned) = ([], []) }
            return (state.idle.removeAll() + state.abandoned, state.waiters)
        }
        for connection in connections { Task { await connection.close() } }
        for waiter in waiters { fail(waiter, "the database was closed") }
    }

    private func take(
        _ state: inout State,
        _ continuation: CheckedContinuation<Answer, Never>
    ) -> Answer? {
        if state.isClosed { return .failure(Self.unavailable("the database was closed")) }
        while let connection = state.idle.pop() {
            if connection.state.isUsable { return .success(connection) }
            state.count -= 1
        }
        guard state.waiters.count < Self.maximumWaiterCount else {
            return .failure(Self.unavailable("too many calls wait for a connection"))
        }
        state.waiterCount += 1
        let number = state.waiterCount
        let deadline = time.deadlines.add(after: Self.maximumWait, by: time) {
            self.giveUp(waiter: number)
        }
        state.waiters.append(
            Waiter(number: number, continuation: continuation, deadline: deadline)
        )
        return nil
    }

    /// Opens a connection for each who waits; while the server can't be reached, one attempt at a time is enough.
    private func openWanted() {
        let count = state.withLock { state in
            guard !state.isClosed else { return 0 }
            let wanted = min(state.waiters.count, state.failureCount > 0 ? 1 : .max)
            let free = settings.poolSize - state.count
            let count = max(min(wanted - state.connectingCount, free), 0)
            state.count += count
            state.connectingCount += count
            return count
        }
        for _ in 0..<count { Task { await self.connect() } }
    }

    /// Tries until a connection is open, or nobody waits for one any more.
    private func connect() async {
        while true {
            do throws(AccountStoreError) {
                let connection = try await PostgreSQLConnection.open(
                    settings,
                    beginningWith: state.withLock(\.firstHost),
                    time: time
                )
                if connected(to: connection.state.host) {
                    logger.notice("the database is reached again")
                }
                pass(on: connection)
                // Those who came while the server was away have waited for this one.
                return openWanted()
            } catch {
                guard let pause = failed(error) else { return }
                try? await time.sleep(for: .seconds(pause))
            }
        }
    }

    /// Whether earlier attempts had failed.
    private func connected(to host: Int) -> Bool {
        state.withLock { state in
            state.connectingCount -= 1
            state.firstHost = host
            defer { state.failureCount = 0 }
            return state.failureCount > 0
        }
    }

    /// Seconds until the next attempt; nil when there is to be none.
    private func failed(_ error: AccountStoreError) -> TimeInterval? {
        let (count, isWanted) = state.withLock { state in
            state.failureCount += 1
            state.failure = error
            let isWanted = !state.waiters.isEmpty && !state.isClosed
            if !isWanted {
                state.connectingCount -= 1
                state.count -= 1
            }
            return (state.failureCount, isWanted)
        }
        if count == 1 {
            logger.error("the database can't be reached", metadata: ["hint": "\(error.hint)"])
        }
        guard isWanted else { return nil }
        let longest = min(
            Self.pauses.lowerBound * pow(2, Double(min(count - 1, 20))),
            Self.pauses.upperBound
        )
        // Replicas that have lost the server together must not come back together.
        return longest * (0.5 + 0.5 * randomUnit())
    }

    private func pass(on connection: PostgreSQLConnection) {
        let (waiter, isClosed, watches): (Waiter?, Bool, Bool) = state.withLock { state in
            if state.isClosed { return (nil, true, false) }
            if !state.waiters.isEmpty { return (state.waiters.removeFirst(), false, false) }
            state.idle.push(connection, now: time.uptime)
            defer { state.isWatchingIdle = true }
            return (nil, false, !state.isWatchingIdle)
        }
        if let waiter { time.deadlines.remove(waiter.deadline) }
        waiter?.continuation.resume(returning: .success(connection))
        if isClosed { Task { await connection.close() } }
        if watches { watchIdle() }
    }

    /// Closes connections that nobody has used for long, as long as there are any.
    private func watchIdle() {
        Task { [weak self, time] in
            while let wait = await self?.closeExpired() {
                try? await time.sleep(for: wait)
            }
        }
    }

    /// How long until there is something to close again; nil when nothing is idle.
    private func closeExpired() async -> Duration? {
        let (expired, wait) = state.withLock { state in
            let now = time.uptime
            let expired = state.idle.removeExpired(now: now)
            state.count -= expired.count
            let wait = state.idle.timeUntilExpiry(now: now)
            state.isWatchingIdle = wait != nil
            return (expired, wait)
        }
        for connection in expired { await connection.close() }
        return wait
    }

    private func giveUp(waiter number: Int) {
        let (waiter, hint) = state.withLock { state in
            let hint =
                state.failureCount > 0
                ? state.failure?.hint : "all \(settings.poolSize) connections are in use"
            let index = state.waiters.firstIndex { $0.number == number }
            return (index.map { state.waiters.remove(at: $0) }, hint)
        }
        if let waiter { fail(waiter, hint ?? "there is no connection") }
    }

    private func fail(_ waiter: Waiter, _ hint: String) {
        time.deadlines.remove(waiter.deadline)
        waiter.continuation.resume(returning: .failure(Self.unavailable(hint)))
    }

    private static func unavailable(_ hint: String) -> AccountStoreError {
        AccountStoreError(.unavailable, hint: hint)
    }
}
