/// The current load of a store, as far as this process knows.
package enum StoreLoad: Hashable, Sendable {
    /// The load is not known.
    case unknown
    /// One connection writes; with the number of waiting calls.
    case writer(waitingCount: Int)
    /// Each call uses a connection of a pool.
    case pool(PoolLoad)
}

/// The connections of a pool and the waiting calls.
package struct PoolLoad: Hashable, Sendable {
    /// The number of unused connections.
    package let idleCount: Int
    /// The number of connections in use.
    package let lentCount: Int
    /// The number of connections that are being opened.
    package let openingCount: Int
    /// The number of calls that wait for a connection.
    package let waitingCount: Int
    /// The number of reads that wait for the next shared statement.
    package let waitingReadCount: Int

    package init(
        idleCount: Int,
        lentCount: Int,
        openingCount: Int,
        waitingCount: Int,
        waitingReadCount: Int = 0
    ) {
        self.idleCount = idleCount
        self.lentCount = lentCount
        self.openingCount = openingCount
        self.waitingCount = waitingCount
        self.waitingReadCount = waitingReadCount
    }
}
