import AppleIdentity
import Foundation
import Synchronization

/// How many entries may be written that no change of an account goes with, so that nobody fills the disk by asking.
final class AuditBudget: Sendable {
    /// Refusals that are written at once.
    static let burst = 100
    /// Seconds between two refusals that go on for ever: thirty megabytes a day.
    static let interval: TimeInterval = 1
    /// Seconds between two exports of one account that are written.
    static let exportInterval: TimeInterval = 60
    /// Accounts whose exports are remembered.
    static let maximumAccountCount = 10_000

    private struct State {
        /// When as many may be written at once again.
        var fullAt: TimeInterval = 0
        var skippedCount = 0
        var exports: [AccountID: Date] = [:]
    }

    private let state = Mutex(State())

    /// Asks for one more refusal to be written.
    ///
    /// - Parameter now: the time.
    /// - Returns: how many were not written since the last one that was; nil when this one must not be either.
    func admitRefusal(now: Date) -> Int? {
        let now = now.timeIntervalSince1970
        let capacity = Double(Self.burst) * Self.interval
        return state.withLock { state in
            // A time beyond that was written before the clock was set back.
            let missing = state.fullAt - now > capacity + 1 ? 0 : max(state.fullAt - now, 0)
            guard missing + Self.interval <= capacity else {
                state.skippedCount += 1
                return nil
            }
            state.fullAt = now + missing + Self.interval
            defer { state.skippedCount = 0 }
            return state.skippedCount
        }
    }

    /// Counts a refusal that was admitted as skipped, and those with it: they could not be written.
    ///
    /// - Parameter skippedCount: what ``admitRefusal(now:)`` told.
    func takeBackRefusal(after skippedCount: Int) {
        state.withLock { $0.skippedCount += skippedCount + 1 }
    }

    /// Has the next export of an account written: this one could not be.
    func takeBackExport(of account: AccountID) {
        state.withLock { $0.exports[account] = nil }
    }

    /// Whether an export of an account is to be written: the first one, and one a minute.
    func admitsExport(of account: AccountID, now: Date) -> Bool {
        state.withLock { state in
            if let last = state.exports[account],
                abs(now.timeIntervalSince(last)) < Self.exportInterval
            {
                return false
            }
            if state.exports.count >= Self.maximumAccountCount {
                state.exports = state.exports.filter {
                    abs(now.timeIntervalSince($0.value)) < Self.exportInterval
                }
            }
            guard state.exports.count < Self.maximumAccountCount else { return true }
            state.exports[account] = now
            return true
        }
    }
}
