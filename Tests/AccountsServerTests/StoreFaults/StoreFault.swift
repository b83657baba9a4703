/// One call of a database that fails.
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

    let call: FailingDatabase.Call
    /// The number among such calls, counted from 1.
    let number: Int
    /// The kind of the failure.
    let kind: Kind

    var description: String { "\(call) \(number) \(kind)" }

    /// All faults of the given calls.
    static func all(of calls: [FailingDatabase.Call]) -> [StoreFault] {
        var counts: [FailingDatabase.Call: Int] = [:]
        return calls.flatMap { call in
            counts[call, default: 0] += 1
            let number = counts[call, default: 0]
            return call.faults.map { StoreFault(call: call, number: number, kind: $0) }
        }
    }
}
