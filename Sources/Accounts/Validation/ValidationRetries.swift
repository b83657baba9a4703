import AppleIdentity
import Foundation
import Synchronization

/// When refresh tokens are validated again that Apple could not be asked about.
///
/// The counts are in memory: a process that starts anew begins with the first wait.
final class ValidationRetries: Sendable {
    /// How often one token is tried again before it waits for its next day.
    static let maximumCount = 12
    /// How many tokens are counted; any more wait for their next day.
    static let maximumTokenCount = 10_000

    private let counts = Mutex<[RefreshTokenID: Int]>([:])
    private let randomUnit: @Sendable () -> Double

    /// Five minutes, then twice as long each time, up to an hour.
    private let schedule: OutboxSchedule = {
        var schedule = OutboxSchedule()
        schedule.firstDelay = 5 * 60
        schedule.maximumDelay = 3600
        return schedule
    }()

    init(randomUnit: @escaping @Sendable () -> Double) {
        self.randomUnit = randomUnit
    }

    /// Counts a failure; returns seconds until the next try, nil when it was tried often enough for a day.
    func delay(afterFailureOf token: RefreshTokenID) -> TimeInterval? {
        let count = counts.withLock { counts -> Int? in
            let count = counts[token, default: 0] + 1
            guard count <= Self.maximumCount else {
                counts[token] = nil
                return nil
            }
            guard count > 1 || counts.count < Self.maximumTokenCount else { return nil }
            counts[token] = count
            return count
        }
        return count.map { schedule.delay(afterAttempts: $0, randomUnit: randomUnit()) }
    }

    /// Forgets the failures of a token that Apple was asked about.
    func forget(_ token: RefreshTokenID) {
        counts.withLock { $0[token] = nil }
    }
}
