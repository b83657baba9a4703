import AppleIdentity
import Foundation

/// What a server asks Apple about a stored refresh token.
package enum TokenTask: String, Codable, Hashable, Sendable {
    /// Whether the user still uses the app.
    case validation
    /// To end the app's access.
    case revocation
}

/// What Apple's answer about a stored refresh token means, for every store of tokens.
package enum TokenOutcome: Sendable {
    /// Apple has revoked the token, or it is still valid.
    case done
    /// The token is no longer valid: the user's consent has ended.
    case ended
    /// There was no answer; the next attempt may succeed.
    case failed(SignInError)
    /// Apple refuses this server, or a setting is wrong: an operator must act. It says nothing about the user.
    case refused(SignInError)
    /// The stored token cannot be decrypted, because a key is missing.
    case unreadable(SealingError)

    /// Seconds by which Apple's clock, for consent, may be ahead of the server's, for tokens.
    package static let clockLeeway: TimeInterval = 60
}

/// The delays between attempts: each is twice as long as the one before.
package struct AttemptSchedule: Hashable, Sendable {
    /// Seconds before the second attempt.
    package var firstDelay: TimeInterval
    /// The maximum delay in seconds.
    package var maximumDelay: TimeInterval
    /// Seconds after which a refused request is sent again.
    package var refusedDelay: TimeInterval
    /// The random share of a delay, which spreads the retries of requests that failed together.
    package var jitter = 0.25

    /// A user waits for a revocation, which repeats no other request of Apple's.
    package static let revocation = AttemptSchedule(
        firstDelay: 1,
        maximumDelay: 300,
        refusedDelay: 6 * 3_600
    )
    /// Nobody waits for a validation.
    package static let validation = AttemptSchedule(
        firstDelay: 300,
        maximumDelay: 3_600,
        refusedDelay: 86_400
    )

    /// Returns the delay in seconds after a failed attempt.
    package func delay(afterAttempts attemptCount: Int, randomUnit: Double) -> TimeInterval {
        // A larger exponent exceeds the maximum anyway; this keeps the power finite.
        let exponent = min(max(attemptCount - 1, 0), 60)
        let delay = min(firstDelay * pow(2, Double(exponent)), maximumDelay)
        return delay * (1 - jitter * randomUnit)
    }
}

extension AppleSignIn {
    /// Asks Apple about a stored refresh token.
    ///
    /// - Parameters:
    ///   - task: what to ask.
    ///   - client: the client that the token was issued to.
    ///   - open: decrypts the token.
    /// - Returns: what the answer means; nil if the task was cancelled, after which it is unknown.
    package func outcome(
        of task: TokenTask,
        for client: ClientID,
        opening open: () throws(SealingError) -> String
    ) async -> TokenOutcome? {
        do {
            let token = try open()
            switch task {
            case .revocation: try await revoke(token, clientID: client, hint: .refreshToken)
            case .validation:
                let validation = try await validate(token, clientID: client, nextCheck: nil)
                if validation.finding == .revoked { return .ended }
                if let error = validation.error { throw error }
            }
            return .done
        } catch let error as SealingError {
            return .unreadable(error)
        } catch let error as SignInError {
            return error.isRetryable ? .failed(error) : .refused(error)
        } catch {
            return nil
        }
    }
}

/// Attempts entries that a worker claims until none is due; another attempt begins as soon as one ends.
///
/// - Parameters:
///   - maximumConcurrency: the maximum number of attempts at once.
///   - claim: claims at most that number of entries.
///   - attempt: makes an attempt and returns whether it succeeded.
/// - Returns: the number of attempts, and whether any of them succeeded.
package func attemptDue<Entry: Sendable>(
    maximumConcurrency: Int,
    claim: @Sendable (Int) async -> [Entry],
    attempt: @escaping @Sendable (Entry) async -> Bool
) async -> (attemptCount: Int, isAnyDone: Bool) {
    await withTaskGroup { group in
        var (attemptCount, endedCount, isAnyDone) = (0, 0, false)
        while true {
            let freeCount = maximumConcurrency - (attemptCount - endedCount)
            for entry in await claim(freeCount) {
                group.addTask { await attempt(entry) }
                attemptCount += 1
            }
            guard let isDone = await group.next() else { return (attemptCount, isAnyDone) }
            endedCount += 1
            isAnyDone = isAnyDone || isDone
        }
    }
}
