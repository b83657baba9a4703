import AppleIdentity

/// How a check waits for a server.
extension TimeSource {
    /// How often something is tried that met a server with too much to do.
    static let maximumAttemptCount = 3
    /// How long such a server is left alone, in seconds.
    private static let overloadPauseSeconds = 2

    func pause(for duration: Duration) async throws(CheckError) {
        do {
            try await sleep(for: duration)
        } catch {
            throw .stopped
        }
    }

    /// Makes an attempt, and others after a pause when the server has too much to do.
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
