import Accounts
import AppleIdentity
import CoreMetrics
import Foundation
import Logging
import Synchronization

/// The connections of one process, opened on demand and lent to one transaction at a time.
final class ConnectionPool: Sendable {
    /// How many calls may wait for a connection; further ones fail as unavailable.
    static let maximumWaiterCount = 2_000
    /// How long a call waits for a connection at most.
    static let maximumWait: Duration = .seconds(3)
    /// Seconds between two attempts to connect: the first and the longest pause.
    static let pauses: ClosedRange<TimeInterval> = 0.05...2

    private typealias Answer = Result<PostgreSQLConnection, AccountStoreError>

    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<Answer, Never>
        let deadline: Deadlines.Name
    }

    private struct State {
        var idle = IdleConnections()
        /// Connections on which the server may still run abandoned statements, the oldest first.
        var abandoned: [PostgreSQLConnection] = []
        /// Whether a task waits to close idle connections.
        var isWatchingIdle = false
        /// The number of idle, lent and opening connections.
        var count = 0
        var connectingCount = 0
        /// The number of the server to try first.
        var firstHost = 0
        var waiters: [Waiter] = []
        var lastWaiterNumber = 0
        /// The failed attempts to connect since the last successful one.
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

    /// How many calls wait for a connection, for tests.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Returns the use of the connections, including reads that wait before they need one.
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

    /// How many connections are idle, for tests.
    var idleCount: Int { state.withLock { $0.idle.count } }

    /// Lends a connection, which the caller must give back.
    nonisolated(nonsending) func lend() async throws(AccountStoreError) -> PostgreSQLConnection {
        let start = time.uptime
        let answer: Answer = await withCheckedContinuation { continuation in
            let answer = state.withLock { acquire(&$0, continuation) }
            if let answer { return continuation.resume(returning: answer) }
            openWanted()
        }
        waits.recordSeconds((time.uptime - start) / .seconds(1))
        return try answer.get()
    }

    /// Takes a connection back; an unusable one is replaced if a call waits.
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

    /// Removes the idle connections to the server of a lost one, because the server is most likely down or hangs.
    ///
    /// Each of them would cost its next user the same wait. With several servers, new connections begin with the next one
    /// after a server that hangs. A COMMIT without a response is no sign of that, because it may wait for a standby.
    private func removeSpoilt(
        with connection: PostgreSQLConnection,
        _ state: inout State
    ) -> [PostgreSQLConnection] {
        if state.firstHost == connection.state.host, connection.state.isSilent {
            state.firstHost = (connection.state.host + 1) % hostCount
        }
        return state.idle.removeAll(to: connection.state.host)
    }

    /// Returns the connections to close; an abandoned one stays open for a while, up to as many as the pool's size.
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

    /// Closes the idle connections now, and the lent ones when they come back.
    func close() {
        let (connections, waiters) = state.withLock { state in
            state.isClosed = true
            defer { (state.waiters, state.abandoned) = ([], []) }
            return (state.idle.removeAll() + state.abandoned, state.waiters)
        }
        for connection in connections { Task { await connection.close() } }
        for waiter in waiters { fail(waiter, "the database was closed") }
    }

    private func acquire(
        _ state: inout State,
        _ continuation: CheckedContinuation<Answer, Never>
    ) -> Answer? {
        if state.isClosed { return .failure(Self.unavailable("the database was closed")) }
        while let connection = state.idle.pop() {
            if connection.state.isUsable { return .success(connection) }
            state.count -= 1
        }
        guard state.waiters.count < Self.maximumWaiterCount else {
            return .failure(Self.unavailable("too many calls are waiting for a connection"))
        }
        state.lastWaiterNumber += 1
        let number = state.lastWaiterNumber
        let deadline = time.deadlines.add(after: Self.maximumWait, by: time) {
            self.giveUp(waiter: number)
        }
        state.waiters.append(
            Waiter(number: number, continuation: continuation, deadline: deadline)
        )
        return nil
    }

    /// Opens a connection for each waiting call, but only one at a time while the server cannot be reached.
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

    /// Tries to connect until a connection is open or no call waits for one.
    private func connect() async {
        while true {
            do throws(AccountStoreError) {
                let connection = try await PostgreSQLConnection.open(
                    settings,
                    beginningWith: state.withLock(\.firstHost),
                    time: time
                )
                if connected(to: connection.state.host) {
                    logger.notice("the database is reachable again")
                }
                pass(on: connection)
                // Calls that came while the server was unreachable waited for this attempt.
                return openWanted()
            } catch {
                guard let pause = failed(error) else { return }
                try? await time.sleep(for: .seconds(pause))
            }
        }
    }

    /// Records a success, and returns whether earlier attempts had failed.
    private func connected(to host: Int) -> Bool {
        state.withLock { state in
            state.connectingCount -= 1
            state.firstHost = host
            defer { state.failureCount = 0 }
            return state.failureCount > 0
        }
    }

    /// Records a failure, and returns the seconds until the next attempt; nil when none is needed.
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
        // Random pauses prevent replicas that lost the server together from reconnecting together.
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

    /// Closes connections that have been idle for too long, until none is idle.
    private func watchIdle() {
        Task { [weak self, time] in
            while let wait = await self?.closeExpired() {
                try? await time.sleep(for: wait)
            }
        }
    }

    /// Closes expired connections, and returns the time until the next one expires; nil when none is idle.
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
        if let waiter { fail(waiter, hint ?? "no connection is available") }
    }

    private func fail(_ waiter: Waiter, _ hint: String) {
        time.deadlines.remove(waiter.deadline)
        waiter.continuation.resume(returning: .failure(Self.unavailable(hint)))
    }

    private static func unavailable(_ hint: String) -> AccountStoreError {
        AccountStoreError(.unavailable, hint: hint)
    }
}
