import AppleIdentity
import Foundation

/// Random pauses that grow, before what met others begins again, until its time is over.
///
/// How often others are met depends on how busy the server is; how long somebody waits for an answer does not.
struct Retries {
    /// How long a call begins again.
    static let maximumTime: Duration = .seconds(10)
    /// Seconds that a pause may take: the first one, and any.
    static let pauses: ClosedRange<TimeInterval> = 0.002...0.1

    /// When nothing begins again any more, by the clock's uptime.
    let end: Duration
    private let time: TimeSource
    private let randomUnit: @Sendable () -> Double
    private var longestPause = pauses.lowerBound

    init(
        within limit: Duration = maximumTime,
        time: TimeSource,
        randomUnit: @escaping @Sendable () -> Double
    ) {
        end = time.uptime + limit
        self.time = time
        self.randomUnit = randomUnit
    }

    /// Waits before it begins again.
    ///
    /// - Returns: false when the time is over, or the caller was cancelled, who needs no answer any more.
    mutating func pause() async -> Bool {
        guard time.uptime < end else { return false }
        let pause = longestPause * randomUnit()
        longestPause = min(longestPause * 2, Self.pauses.upperBound)
        return (try? await time.sleep(for: .seconds(pause))) != nil
    }

    /// Has the next pauses be short again, because fewer others are in the way from here on.
    mutating func shorten() {
        longestPause = Self.pauses.lowerBound
    }
}
