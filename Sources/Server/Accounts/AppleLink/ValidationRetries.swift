import AppleIdentity
import Foundation
import SignInWithApple
import Synchronization

/// The delays before refresh tokens are validated again after Apple could not be reached.
///
/// The counts are in memory: after a restart, the delays start with the first one.
final class ValidationRetries: Sendable {
    /// The maximum number of retries of a token before it waits for the next day.
    static let maximumCount = 12
    /// The maximum number of counted tokens; any more wait for the next day.
    static let maximumTokenCount = 10_000

    private let counts = Mutex<[RefreshTokenID: Int]>([:])
    private let randomUnit: @Sendable () -> Double

    init(randomUnit: @escaping @Sendable () -> Double) {
        self.randomUnit = randomUnit
    }

    /// Counts a failure and returns the seconds until the retry; nil to wait for the next day.
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
        return count.map {
            AttemptSchedule.validation.delay(afterAttempts: $0, randomUnit: randomUnit())
        }
    }

    /// Deletes the count of a token that was validated.
    func forget(_ token: RefreshTokenID) {
        counts.withLock { $0[token] = nil }
    }
}
