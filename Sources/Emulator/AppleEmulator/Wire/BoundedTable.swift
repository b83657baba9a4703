/// A table that removes its oldest entry when it is full.
struct BoundedTable<Value: Sendable>: Sendable {
    private let maximumCount: Int
    private(set) var values: [String: Value] = [:]
    private var order: [String] = []
    private var firstIndex = 0

    init(maximumCount: Int) { self.maximumCount = maximumCount }

    subscript(key: String) -> Value? { values[key] }

    /// Every entry, the oldest first.
    var entries: [(key: String, value: Value)] {
        order[firstIndex...].compactMap { key in values[key].map { (key, $0) } }
    }

    mutating func insert(_ value: Value, for key: String) {
        values[key] = value
        order.append(key)
        while values.count > maximumCount, firstIndex < order.count {
            values[order[firstIndex]] = nil
            firstIndex += 1
        }
        // Keys of removed entries stay in the order; remove them when they outnumber the entries.
        if order.count > 2 * maximumCount {
            order = order[firstIndex...].filter { values[$0] != nil }
            firstIndex = 0
        }
    }

    /// Adds an entry under a key that cannot be guessed.
    mutating func add(
        _ value: Value,
        as key: String = RandomText.base64URL(byteCount: 32)
    ) -> String {
        insert(value, for: key)
        return key
    }

    mutating func update(_ key: String, _ change: (inout Value) -> Void) {
        guard var value = values[key] else { return }
        change(&value)
        values[key] = value
    }

    mutating func updateAll(_ change: (inout Value) -> Void) {
        for key in values.keys { update(key, change) }
    }

    @discardableResult
    mutating func remove(_ key: String) -> Value? { values.removeValue(forKey: key) }

    mutating func removeAll(where isUnwanted: (Value) -> Bool) {
        values = values.filter { !isUnwanted($0.value) }
    }
}
