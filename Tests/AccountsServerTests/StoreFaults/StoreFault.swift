/// One call of a store that fails.
struct StoreFault: Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failures.
    enum Kind: String, CaseIterable, Sendable {
        /// Nothing is stored, and the store reports it.
        case unavailable
        /// Everything is stored, but the response is lost.
        case doneUnknown
        /// Nothing is stored, and the outcome is unknown.
        case undoneUnknown
        /// Everything is stored, the response is lost, and the store is unreachable: a repetition
        /// does not help.
        case doneAndGone
    }

    let method: StoreMethod
    /// The number of the failing call, counted from 1.
    let number: Int
    /// The kind of the failure.
    let kind: Kind

    var description: String { "\(method) \(number) \(kind)" }

    /// All faults of the given calls.
    static func all(of calls: [StoreMethod]) -> [StoreFault] {
        var counts: [StoreMethod: Int] = [:]
        return calls.flatMap { method in
            counts[method, default: 0] += 1
            let number = counts[method, default: 0]
            return method.faults.map { StoreFault(method: method, number: number, kind: $0) }
        }
    }
}
