import AppleIdentity

/// Pauses and retries of checks.
extension TimeSource {
    /// The limit of attempts while the server is overloaded.
    static let maximumAttemptCount = 3
    /// The pause before the next attempt, in seconds.
    private static let overloadPauseSeconds = 2

    func pause(for duration: Duration) async throws(CheckError) {
        do {
            try await sleep(for: duration)
        } catch {
            throw .stopped
        }
    }

    /// Runs a body, and repeats it after a pause if the server is overloaded.
    func attempt<Result>(
        _ body: () async throws(CheckError) -> Result
    ) async throws(CheckError) -> Result {
        for _ in 1..<Self.maximumAttemptCount {
            do {
                return try await body()
            } catch  where error.kind == .overload {
                try await pause(for: .seconds(Self.overloadPauseSeconds))
            }
        }
        return try await body()
    }
}
