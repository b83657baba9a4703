import AppleIdentity
import SignInWithApple

/// Somebody about whom Apple gave no answer.
struct PacedFailure: Hashable, Sendable {
    let user: UserID
    let reason: String
}

/// A run about many people: no more of them in a second than is said, and once more after what passes.
struct PacedRun: Sendable {
    /// How often Apple is asked about somebody: after 2, 4, 8, 16 and 32 seconds once more, or when Apple says.
    static let maximumRoundCount = 6
    /// The longest wait that Apple may ask for; after a longer one, the command is run again.
    static let maximumWait: Duration = .seconds(300)

    let rate: Int
    var time: TimeSource = .live

    /// Runs until everybody has an answer, or a refusal that stays.
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
                    // Nobody else is asked about while this one is kept.
                    try await time.sleep(for: .milliseconds(1_000 / rate))
                }
                waiting = Array(passing.keys)
            } catch let error as SignInError {
                // There was no access token: nobody was asked about.
                let mayPass = error.isRetryable && Self.wait(before: 1, [error]) != nil
                guard mayPass, round + 1 < Self.maximumRoundCount else { throw error }
                passing = Dictionary(uniqueKeysWithValues: waiting.map { ($0, error) })
            }
        }
        return failures + passing.map { PacedFailure(user: $0, reason: Self.words($1)) }
    }

    /// How long to wait: no shorter than Apple asked for; nil when that is too long.
    private static func wait(before round: Int, _ errors: some Sequence<SignInError>) -> Duration? {
        let asked = errors.compactMap(\.retryAfter).max() ?? .zero
        return asked <= maximumWait ? max(asked, .seconds(1 << round)) : nil
    }

    static func words(_ error: SignInError) -> String {
        let wait = error.retryAfter.map { "; it may be asked again in \($0.wholeSeconds) seconds" }
        return "\(error.code.rawValue): \(error.hint)\(wait ?? "")"
    }
}
