import AppleIdentity
import Foundation

/// Whether and when a transaction begins again: with random pauses that grow, until its time is over.
///
/// How often it meets others depends on how busy the server is; how long a caller waits for an answer does not.
struct Retries {
    /// How long a call begins again.
    static let maximumTime: Duration = .seconds(10)
    /// Seconds that a pause may take: the first one, and any.
    static let pauses: ClosedRange<TimeInterval> = 0.002...0.1
    /// How often a transaction may run into a row of another one: it sees the row when it looks again.
    static let maximumConstraintCount = 4

    /// Why a transaction begins again.
    enum Reason {
        /// Another transaction was in the way.
        case conflict
        /// A row of another one was.
        case constraint
        /// Its connection was lost before anything could be done.
        case loss
    }

    private let end: Duration
    private let time: TimeSource
    private let randomUnit: @Sendable () -> Double
    /// All idle connections are lost when the server has been restarted.
    private let maximumLossCount: Int
    private var longestPause = pauses.lowerBound
    private var counts: [Reason: Int] = [:]

    init(
        within limit: Duration = maximumTime,
        poolSize: Int = 0,
        time: TimeSource,
        randomUnit: @escaping @Sendable () -> Double
    ) {
        end = time.uptime + limit
        maximumLossCount = poolSize + 1
        self.time = time
        self.randomUnit = randomUnit
    }

    init(of pool: ConnectionPool) {
        self.init(
            poolSize: pool.settings.poolSize,
            time: pool.time,
            randomUnit: pool.randomUnit
        )
    }

    /// Waits until the transaction can begin again.
    ///
    /// - Returns: false when it must not.
    mutating func mayBeginAgain(after reason: Reason) async -> Bool {
        let count = counts[reason, default: 0] + 1
        counts[reason] = count
        return switch reason {
        case .loss: count <= maximumLossCount
        case .constraint: count < Self.maximumConstraintCount ? await pause() : false
        case .conflict: await pause()
        }
    }

    /// False when the time is over, or the caller was cancelled and needs no answer.
    private mutating func pause() async -> Bool {
        guard time.uptime < end else { return false }
        let pause = longestPause * randomUnit()
        longestPause = min(longestPause * 2, Self.pauses.upperBound)
        return (try? await time.sleep(for: .seconds(pause))) != nil
    }
}
