import AppleIdentity
import Foundation

/// Waits for another program until something has happened.
///
/// Nothing here depends on how long that takes; the limit only ends a test that would hang.
///
/// - Parameters:
///   - goal: what is waited for, for the error's text.
///   - maximumSeconds: when to give up.
///   - attempt: looks once; nil means not yet.
/// - Returns: what the attempt found.
/// - Throws: ``HarnessError`` when it is found too late or never, and what the attempt throws.
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
