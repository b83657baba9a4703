/// Waits that double, with jitter to prevent many apps from retrying at the same moment.
enum Backoff {
    /// The wait before the next attempt.
    ///
    /// - Parameters:
    ///   - attempt: how many attempts failed, at least 1.
    ///   - seconds: the minimum that the server requested.
    ///   - jitter: where in the wait's upper half it lies, from 0 to 1.
    /// - Returns: the wait.
    static func delay(
        afterAttempt attempt: Int,
        atLeastSeconds seconds: Int? = nil,
        jitter: Double = Double.random(in: 0...1)
    ) -> Duration {
        let doublings = min(max(attempt - 1, 0), 20)
        let whole = min(SignInLimits.firstWait * (1 << doublings), SignInLimits.longestWait)
        let wait = whole * (0.5 + jitter / 2)
        return max(wait, .seconds(seconds ?? 0))
    }
}
