/// The idle connections, as a stack with the last one used on top.
struct IdleConnections {
    /// How long a connection may be idle, limited because the server keeps a process for each.
    static let maximumIdleTime: Duration = .seconds(600)

    /// In the order in which they came back: the longest idle is first.
    private var entries: [(connection: PostgreSQLConnection, since: Duration)] = []

    var count: Int { entries.count }

    mutating func push(_ connection: PostgreSQLConnection, now: Duration) {
        entries.append((connection, now))
    }

    mutating func pop() -> PostgreSQLConnection? {
        entries.popLast()?.connection
    }

    /// Removes and returns the connections to one server.
    mutating func removeAll(to host: Int) -> [PostgreSQLConnection] {
        defer { entries.removeAll { $0.connection.state.host == host } }
        return entries.map(\.connection).filter { $0.state.host == host }
    }

    mutating func removeAll() -> [PostgreSQLConnection] {
        defer { entries = [] }
        return entries.map(\.connection)
    }

    /// Removes and returns the connections that have been idle for too long.
    mutating func removeExpired(now: Duration) -> [PostgreSQLConnection] {
        let count = entries.prefix { timeLeft(since: $0.since, now) <= .zero }.count
        defer { entries.removeFirst(count) }
        return entries.prefix(count).map(\.connection)
    }

    /// The time until the first connection expires; nil when none is idle.
    func timeUntilExpiry(now: Duration) -> Duration? {
        entries.first.map { timeLeft(since: $0.since, now) }
    }

    private func timeLeft(since start: Duration, _ now: Duration) -> Duration {
        Self.maximumIdleTime - (now - start)
    }
}
