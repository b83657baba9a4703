import AppleIdentity
import SignInWithApple

/// A user about whom Apple returned no result.
struct PacedFailure: Hashable, Sendable {
    let user: UserID
    let reason: String
}

/// Requests to Apple about many users, with a limited rate and retries.
struct PacedRun: Sendable {
    /// The first round and five retries, after 2, 4, 8, 16 and 32 seconds or the longer wait that Apple requests.
    static let maximumRoundCount = 6
    /// The longest wait that Apple may request; after a longer one, the user runs the command again.
    static let maximumWait: Duration = .seconds(300)

    let rate: Int
    var time: TimeSource = .live

    /// Runs until every user has a result or a permanent failure, and returns the failures.
    func ask<Output: Sendable>(
        _ people: [UserID],
        _ ask: ([UserID], (MigrationStep<Output>) async throws -> Void) async throws ->
            MigrationProgress,
        keep: @escaping (UserID, Output, MigrationProgress) async throws -> Void
    ) async throws -> [PacedFailure] {
        var failures: [PacedFailure] = []
        var waiting = people
        var passing: [UserID: SignInError] = [:]
        for round in 0..<Self.maximumRoundCount where !waiting.isEmpty {
            if round > 0 {
                guard let wait = Self.wait(before: round, passing.values) else { break }
                try await time.sleep(for: wait)
            }
            passing = [:]
            do {
                _ = try await ask(waiting) { step in
                    switch step.outcome {
                    case .success(let output): try await keep(step.user, output, step.progress)
                    case .failure(let error) where error.isRetryable: passing[step.user] = error
                    case .failure(let error):
                        failures.append(PacedFailure(user: step.user, reason: Self.words(error)))
                    }
                    // The step is stored before the next request.
                    try await time.sleep(for: .milliseconds(1_000 / rate))
                }
                waiting = Array(passing.keys)
            } catch let error as SignInError {
                // Apple returned no access token, so no user was requested.
                let mayPass = error.isRetryable && Self.wait(before: 1, [error]) != nil
                guard mayPass, round + 1 < Self.maximumRoundCount else { throw error }
                passing = Dictionary(uniqueKeysWithValues: waiting.map { ($0, error) })
            }
        }
        return failures + passing.map { PacedFailure(user: $0, reason: Self.words($1)) }
    }

    /// The time to wait, at least as long as Apple requests; nil if that is too long.
    private static func wait(before round: Int, _ errors: some Sequence<SignInError>) -> Duration? {
        let asked = errors.compactMap(\.retryAfter).max() ?? .zero
        return asked <= maximumWait ? max(asked, .seconds(1 << round)) : nil
    }

    static func words(_ error: SignInError) -> String {
        "\(error.code.rawValue): \(hint(error))"
    }

    static func hint(_ error: SignInError) -> String {
        let wait = error.retryAfter.map { "; Apple allows a retry in \($0.wholeSeconds) seconds" }
        return error.hint + (wait ?? "")
    }
}
