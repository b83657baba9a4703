/// An approximate record of the latest misses of a memory that is full.
///
/// What is asked for once must not displace what is asked for again and again: it is taken in at its second miss.
package struct RecentMisses: Sendable {
    private static let slotCount = 1 << 16

    /// One mark for each slot, zero until a miss, which the next miss there overwrites; none before the first miss.
    private var marks: [UInt16] = []

    package init() {}

    /// Whether a key was missed before; from now on it was.
    ///
    /// About once in 65 536 times, another key is mistaken for it.
    ///
    /// - Parameter key: what was asked for.
    /// - Returns: whether it was among the latest misses.
    package mutating func isRepeated(_ key: some Hashable) -> Bool {
        isRepeated(hash: UInt(bitPattern: key.hashValue))
    }

    mutating func isRepeated(hash: UInt) -> Bool {
        if marks.isEmpty { marks = Array(repeating: 0, count: Self.slotCount) }
        let slot = Int(hash % UInt(Self.slotCount))
        // Zero stands for no miss.
        let mark = max(1, UInt16(truncatingIfNeeded: hash / UInt(Self.slotCount)))
        defer { marks[slot] = mark }
        return marks[slot] == mark
    }
}
