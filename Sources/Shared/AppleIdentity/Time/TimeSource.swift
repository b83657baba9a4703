import Foundation

/// The source of the time, which tests and the emulator can set.
package struct TimeSource: Sendable {
    private let currentTime: @Sendable () -> Date
    private let currentUptime: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void
    package let deadlines = Deadlines()

    package init(
        now: @escaping @Sendable () -> Date,
        uptime: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        currentTime = now
        currentUptime = uptime
        wait = sleep
    }

    package var now: Date { currentTime() }

    /// How long this clock has run; a duration measured by it stays correct if the date is set meanwhile.
    package var uptime: Duration { currentUptime() }

    /// Waits until the duration has passed on this clock.
    package func sleep(for duration: Duration) async throws { try await wait(duration) }

    /// The machine's clock: the only place in the project that reads it.
    package static let live = {
        let start = ContinuousClock.now
        return TimeSource(
            now: { Date() },
            uptime: { start.duration(to: .now) },
            sleep: { try await Task.sleep(for: $0) }
        )
    }()
}

extension Duration {
    /// The duration in whole seconds, rounded up, as in `Retry-After` and the claims of tokens.
    package var wholeSeconds: Int {
        let (seconds, attoseconds) = components
        return Int(clamping: seconds) + (attoseconds > 0 ? 1 : 0)
    }
}
