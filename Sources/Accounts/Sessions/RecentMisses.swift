/// An approximate record of the latest misses of a full cache.
///
/// A key enters the cache at its second miss, because a single request must not displace frequently used keys.
package struct RecentMisses: Sendable {
    private static let slotCount = 1 << 16

    /// A mark for each slot: zero, or the latest miss there; empty before the first miss.
    private var marks: [UInt16] = []

    package init() {}

    /// Records a miss and returns whether the key was missed before.
    ///
    /// About once in 65 536 times, another key is mistaken for it.
    ///
    /// - Parameter key: the missed key.
    /// - Returns: whether the key is among the latest misses.
    package mutating func isRepeated(_ key: some Hashable) -> Bool {
        isRepeated(hash: UInt(bitPattern: key.hashValue))
    }

    mutating func isRepeated(hash: UInt) -> Bool {
        if marks.isEmpty { marks = Array(repeating: 0, count: Self.slotCount) }
        let slot = Int(hash % UInt(Self.slotCount))
        // Zero means no miss.
        let mark = max(1, UInt16(truncatingIfNeeded: hash / UInt(Self.slotCount)))
        defer { marks[slot] = mark }
        return marks[slot] == mark
    }
}
