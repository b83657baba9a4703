import AppleIdentity
import Foundation

/// Decides whether and when a transaction is retried, with growing random pauses until a time limit.
///
/// The limit is a time, not a count, because the number of conflicts depends on the server's load.
struct Retries {
    /// How long a call is retried.
    static let maximumTime: Duration = .seconds(10)
    /// The maximum length of the first pause and of any pause, in seconds.
    static let pauses: ClosedRange<TimeInterval> = 0.002...0.1
    /// How often a transaction may violate a constraint by another one's row, which it sees at its next attempt.
    static let maximumConstraintCount = 4

    /// Why a transaction is retried.
    enum Reason {
        /// It conflicted with another transaction.
        case conflict
        /// A row of another transaction violated a constraint.
        case constraint
        /// Its connection was lost before it changed anything.
        case loss
    }

    private let end: Duration
    private let time: TimeSource
    private let randomUnit: @Sendable () -> Double
    /// A restart of the server breaks all idle connections, so each one may be lost once.
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

    /// Waits until the transaction can be retried, and returns false when it must not be.
    mutating func mayBeginAgain(after reason: Reason) async -> Bool {
        let count = counts[reason, default: 0] + 1
        counts[reason] = count
        return switch reason {
        case .loss: count <= maximumLossCount
        case .constraint: count < Self.maximumConstraintCount ? await pause() : false
        case .conflict: await pause()
        }
    }

    /// Waits, and returns false when the time limit is reached or the caller was cancelled.
    private mutating func pause() async -> Bool {
        guard time.uptime < end else { return false }
        let pause = longestPause * randomUnit()
        longestPause = min(longestPause * 2, Self.pauses.upperBound)
        return (try? await time.sleep(for: .seconds(pause))) != nil
    }
}
