/// One call of a store that fails.
struct StoreFault: Hashable, Sendable, CustomStringConvertible {
    /// What goes wrong.
    enum Kind: String, CaseIterable, Sendable {
        /// Nothing is done, and the store says so.
        case unavailable
        /// All is done, and the answer is lost.
        case doneUnknown
        /// Nothing is done, and nobody knows.
        case undoneUnknown
        /// All is done, the answer is lost, and the store is gone: asking again does not help.
        case doneAndGone
    }

    let method: StoreMethod
    /// Which call of it, counted from 1.
    let number: Int
    /// What goes wrong.
    let kind: Kind

    var description: String { "\(method) \(number) \(kind)" }

    /// All faults of the calls that something makes.
    static func all(of calls: [StoreMethod]) -> [StoreFault] {
        var counts: [StoreMethod: Int] = [:]
        return calls.flatMap { method in
            counts[method, default: 0] += 1
            let number = counts[method, default: 0]
            return method.faults.map { StoreFault(method: method, number: number, kind: $0) }
        }
    }
}
