import AppleIdentity
import Foundation

/// Waits for another program until something has happened.
///
/// No result depends on the time; the limit only ends a test that would hang.
///
/// - Parameters:
///   - goal: the expected event, for the error.
///   - maximumSeconds: the limit.
///   - attempt: one look; nil means not yet.
/// - Returns: the result of the attempt.
/// - Throws: ``HarnessError`` after the limit, and the errors of the attempt.
func waitUntil<Found>(
    _ goal: @autoclosure () -> String,
    maximumSeconds: Double = 60,
    _ attempt: () async throws -> Found?
) async throws -> Found {
    let end = TimeSource.live.now.addingTimeInterval(maximumSeconds)
    while TimeSource.live.now < end {
        if let found = try await attempt() { return found }
        try await TimeSource.live.sleep(for: .milliseconds(50))
    }
    throw HarnessError("waited \(Int(maximumSeconds)) seconds for: \(goal())")
}
