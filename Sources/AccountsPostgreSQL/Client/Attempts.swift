import AppleIdentity

/// The attempts at one transaction, and whether there is another one.
struct Attempts {
    /// How often one is begun that runs into a row of another: such a row is seen when it looks again.
    static let maximumConstraintCount = 4
    /// How often a transaction meets others before it waits for the lane.
    static let freeCount = 2

    /// Why a transaction begins again.
    enum Reason {
        /// Not everything had been asked that matters.
        case guess
        /// Another transaction was in the way.
        case conflict
        /// A row of another one was.
        case constraint
        /// Its connection was lost before anything could be done.
        case loss
    }

    private let lane: RetryLane
    private let maximumLossCount: Int
    private var retries: Retries
    private var counts: [Reason: Int] = [:]
    private var isInLane = false

    /// - Parameters:
    ///   - lane: where one transaction at a time begins again.
    ///   - poolSize: how many connections there are, all of which are lost when the server has been restarted.
    ///   - time: the clock.
    ///   - randomUnit: tells how much of a pause is taken.
    init(
        lane: RetryLane,
        poolSize: Int,
        time: TimeSource,
        randomUnit: @escaping @Sendable () -> Double
    ) {
        self.lane = lane
        maximumLossCount = poolSize
        retries = Retries(time: time, randomUnit: randomUnit)
    }

    /// Waits until the transaction can begin again.
    ///
    /// - Returns: false when it must not.
    mutating func goesOn(after reason: Reason) async -> Bool {
        counts[reason, default: 0] += 1
        switch reason {
        case .guess: return true
        case .loss: return counts[.loss, default: 0] <= maximumLossCount
        case .constraint where counts[.constraint, default: 0] >= Self.maximumConstraintCount:
            return false
        case .conflict, .constraint:
            await enterLane()
            return await retries.pause()
        }
    }

    /// Has to be called at the end.
    func leave() {
        if isInLane { lane.leave() }
    }

    /// In the lane only newcomers and other processes are in the way.
    private mutating func enterLane() async {
        let count = counts[.conflict, default: 0] + counts[.constraint, default: 0]
        guard !isInLane, count >= Self.freeCount else { return }
        isInLane = await lane.enter(until: retries.end)
        if isInLane { retries.shorten() }
    }
}
