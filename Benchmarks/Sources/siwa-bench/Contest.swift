import Foundation

/// Comparable operations; the first is the floor, with which the others are compared.
struct Contest {
    /// One way, and how often a second it was done in one round.
    struct Contender {
        let name: String
        let measure: () async throws -> Double

        func renamed(_ name: String) -> Contender {
            Contender(name: name, measure: measure)
        }
    }

    let title: String
    let contenders: [Contender]
    /// How many turns of each contender make a round.
    var turnCount = 1

    /// Lets the contenders take turns, because a noisy moment then affects all of them.
    ///
    /// - Parameter roundCount: how many rounds of turns each takes, after a turn that is not counted.
    /// - Returns: the rates of every turn.
    /// - Throws: what a contender throws.
    func run(roundCount: Int) async throws -> ResultTable {
        var rates = contenders.map { _ in [Double]() }
        for turn in 0...roundCount * turnCount {
            for (index, contender) in contenders.enumerated() {
                let rate = try await contender.measure()
                if turn > 0 { rates[index].append(rate) }
            }
        }
        let rows = zip(contenders, rates).map { ResultTable.Row(name: $0.name, rates: $1) }
        return ResultTable(title: title, rows: rows)
    }
}

/// How often a second a body could be done.
func rate(count: Int, _ body: () async throws -> Void) async rethrows -> Double {
    let clock = ContinuousClock()
    let duration = try await clock.measure { try await body() }
    return Double(count) / (duration / .seconds(1))
}

/// How often a body could be done in a second of this process's processor time.
///
/// Other programs and the choice of cores have little influence on it.
func processorRate(_ body: () async throws -> Int) async rethrows -> Double {
    let start = clock()
    let count = try await body()
    return Double(count) * Double(CLOCKS_PER_SEC) / Double(clock() - start)
}
