import Foundation

/// Where the time comes from, so that tests and the emulator can move it.
package struct TimeSource: Sendable {
    private let currentTime: @Sendable () -> Date
    private let currentUptime: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void
    /// What has to be done in time by this clock.
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

    /// How long this clock has run: what is measured by it is right also when the time was set meanwhile.
    package var uptime: Duration { currentUptime() }

    /// Waits until the duration has passed on this clock.
    package func sleep(for duration: Duration) async throws { try await wait(duration) }

    /// The machine's own clock: the only place in the project that reads it.
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
    /// As `Retry-After` and the claims of tokens count: in whole seconds, begun ones in full.
    package var wholeSeconds: Int {
        let (seconds, attoseconds) = components
        return Int(clamping: seconds) + (attoseconds > 0 ? 1 : 0)
    }
}
