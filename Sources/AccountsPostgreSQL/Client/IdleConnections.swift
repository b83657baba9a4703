import Foundation

/// The connections that nobody uses, the last one used on top.
struct IdleConnections {
    /// Seconds after which a connection that nobody used is closed: the server keeps a process for each.
    static let maximumIdleSeconds: TimeInterval = 600

    /// In the order in which they came back, so that the longest idle stands first.
    private var entries: [(connection: PostgreSQLConnection, since: Date)] = []

    var count: Int { entries.count }

    mutating func push(_ connection: PostgreSQLConnection, now: Date) {
        entries.append((connection, now))
    }

    mutating func pop() -> PostgreSQLConnection? {
        entries.popLast()?.connection
    }

    mutating func removeAll() -> [PostgreSQLConnection] {
        defer { entries = [] }
        return entries.map(\.connection)
    }

    /// Takes out what has been idle for too long.
    mutating func removeExpired(now: Date) -> [PostgreSQLConnection] {
        let count = entries.prefix { secondsLeft(since: $0.since, now) <= 0 }.count
        defer { entries.removeFirst(count) }
        return entries.prefix(count).map(\.connection)
    }

    /// Seconds until the first one has been idle for too long; nil when there is none.
    func secondsUntilExpiry(now: Date) -> TimeInterval? {
        entries.first.map { secondsLeft(since: $0.since, now) }
    }

    /// Never more than the limit, also when the clock was set back.
    private func secondsLeft(since date: Date, _ now: Date) -> TimeInterval {
        min(Self.maximumIdleSeconds - now.timeIntervalSince(date), Self.maximumIdleSeconds)
    }
}
