import Testing

/// Lets other tasks run until something holds, for a minute at most.
///
/// What never comes fails the test at the line that waits for it, instead of keeping it until the whole run is ended.
///
/// - Parameters:
///   - what: what is waited for, told when it does not come.
///   - isolation: where the caller runs, and what it waits for is looked at.
///   - sourceLocation: where it is waited for.
///   - holds: whether it has come.
/// - Throws: what `holds` throws, `CancellationError`, and `ExpectationFailedError` after a minute.
public func waitUntil(
    _ what: Comment = "what is waited for comes within a minute",
    isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ holds: () async throws -> Bool
) async throws {
    let hasCome = try await comes(within: .seconds(60), holds)
    try #require(hasCome, what, sourceLocation: sourceLocation)
}

/// Lets other tasks run until something holds.
///
/// - Parameters:
///   - limit: how long at most, in real time.
///   - isolation: where the caller runs, and what it waits for is looked at.
///   - holds: whether it has come.
/// - Returns: false at the limit.
/// - Throws: what `holds` throws, and `CancellationError`.
public func comes(
    within limit: Duration,
    isolation: isolated (any Actor)? = #isolation,
    _ holds: () async throws -> Bool
) async throws -> Bool {
    let end = ContinuousClock.now + limit
    var attemptCount = 0
    while try await !holds() {
        try Task.checkCancellation()
        guard ContinuousClock.now < end else { return false }
        attemptCount += 1
        // What does not come at once waits for a socket or a process, which need the processor.
        if attemptCount <= 100 {
            await Task.yield()
        } else {
            try await Task.sleep(for: .milliseconds(2))
        }
    }
    return true
}
