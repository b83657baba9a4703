/// How busy a store is at this moment, as far as this process knows.
package enum StoreLoad: Hashable, Sendable {
    /// Nothing is known.
    case unknown
    /// One connection writes, and others wait for it.
    case writer(waitingCount: Int)
    /// Connections are lent to one call at a time.
    case pool(PoolLoad)
}

/// How many connections there are, and how many calls wait.
package struct PoolLoad: Hashable, Sendable {
    /// Connections that nobody uses.
    package let idleCount: Int
    /// Connections that a call has.
    package let lentCount: Int
    /// Connections that are about to be opened.
    package let openingCount: Int
    /// Calls that wait for a connection.
    package let waitingCount: Int
    /// Reads that wait for the next statement that they share.
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
