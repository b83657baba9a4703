import Foundation

/// Where the time comes from, so that tests and the emulator can move it.
package struct TimeSource: Sendable {
    private let currentTime: @Sendable () -> Date
    private let wait: @Sendable (Duration) async throws -> Void
    /// What has to be done in time by this clock.
    package let deadlines = Deadlines()

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - now: tells the current time.
    ///   - sleep: returns when the duration has passed; throws `CancellationError`.
    package init(
        now: @escaping @Sendable () -> Date,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        currentTime = now
        wait = sleep
    }

    /// The current time.
    package var now: Date { currentTime() }

    /// Waits until the duration has passed on this clock.
    ///
    /// - Parameter duration: how long to wait.
    /// - Throws: `CancellationError` when the task is cancelled meanwhile.
    package func sleep(for duration: Duration) async throws {
        try await wait(duration)
    }

    /// The machine's own clock: the only place in the project that reads it.
    package static let live = TimeSource(
        now: { Date() },
        sleep: { try await Task.sleep(for: $0) }
    )
}

extension Duration {
    /// As `Retry-After` and the claims of tokens count: in whole seconds, begun ones in full.
    package var wholeSeconds: Int {
        let (seconds, attoseconds) = components
        return Int(clamping: seconds) + (attoseconds > 0 ? 1 : 0)
    }
}
