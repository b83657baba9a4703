import Synchronization

/// Limits audit entries that come without a change of an account, because clients could fill the disk with them.
///
/// Times are uptimes: setting the clock has no effect.
final class AuditBudget: Sendable {
    /// The number of refusals that are recorded at once, half of them without an account.
    static let burst = 100
    /// The time between two recorded refusals in the long run: thirty megabytes a day.
    static let interval: Duration = .seconds(1)
    /// The time between two recorded exports of an account.
    static let exportInterval: Duration = .seconds(60)
    /// The maximum number of accounts whose exports are remembered.
    static let maximumAccountCount = 10_000

    private typealias Answer = CheckedContinuation<Bool, Never>

    /// The latest export of an account.
    private enum Export {
        /// Its entry is being written; others wait for the result.
        case writing(waiting: [Answer])
        case written(Duration)
    }

    private struct State {
        /// When a full burst may be recorded again.
        var fullAt: Duration = .zero
        var skippedCount = 0
        var exports: [AccountID: Export] = [:]
    }

    private let state = Mutex(State())

    /// Admits a refusal and returns how many were skipped since the last recorded one; nil to skip this one as well.
    ///
    /// Refusals that name no account leave half of the burst: they must not hide attempts on an account.
    func admitRefusal(namesAccount: Bool, now: Duration) -> Int? {
        state.withLock { state in
            guard Self.admit(now, namesAccount ? Self.burst : Self.burst / 2, &state) else {
                state.skippedCount += 1
                return nil
            }
            defer { state.skippedCount = 0 }
            return state.skippedCount
        }
    }

    /// Returns the number of skipped refusals that the log does not mention yet; nil for none, or to wait.
    func takeSkipped(now: Duration, isLast: Bool) -> Int? {
        state.withLock { state in
            guard state.skippedCount > 0, Self.admit(now, Self.burst, &state) || isLast else {
                return nil
            }
            defer { state.skippedCount = 0 }
            return state.skippedCount
        }
    }

    /// Counts admitted refusals as skipped, because their entry could not be written.
    func takeBackRefusals(_ count: Int) {
        state.withLock { $0.skippedCount += count }
    }

    private static func admit(_ now: Duration, _ burst: Int, _ state: inout State) -> Bool {
        let missing = max(state.fullAt - now, .zero)
        guard missing + interval <= interval * burst else { return false }
        state.fullAt = now + missing + interval
        return true
    }
}

extension AuditBudget {
    /// The number of exports that wait for another one's entry, for tests.
    func waitingCount(of account: AccountID) -> Int {
        state.withLock { state in
            guard case .writing(let waiting)? = state.exports[account] else { return 0 }
            return waiting.count
        }
    }

    /// Whether an export of an account is to be recorded: the first one, and one per minute.
    ///
    /// While an entry is being written, other exports wait: only a written entry covers them.
    ///
    /// - Parameters:
    ///   - account: the exported account.
    ///   - now: the uptime.
    /// - Returns: true to record it; the caller then calls ``settleExport(of:writtenAt:)``.
    func admitsExport(of account: AccountID, now: Duration) async -> Bool {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { Self.answer(account, now, continuation, &$0) }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Resumes the waiting exports; when the entry was not written, the next one writes its own.
    func settleExport(of account: AccountID, writtenAt time: Duration?) {
        let (covered, next) = state.withLock { state -> ([Answer], Answer?) in
            guard case .writing(let waiting)? = state.exports[account] else { return ([], nil) }
            if let time {
                state.exports[account] = .written(time)
                return (waiting, nil)
            }
            state.exports[account] =
                waiting.isEmpty ? nil : .writing(waiting: Array(waiting.dropFirst()))
            return ([], waiting.first)
        }
        for continuation in covered { continuation.resume(returning: false) }
        next?.resume(returning: true)
    }

    /// Whether to record an export at once; nil when it waits.
    private static func answer(
        _ account: AccountID,
        _ now: Duration,
        _ continuation: Answer,
        _ state: inout State
    ) -> Bool? {
        switch state.exports[account] {
        case .writing(let waiting)?:
            state.exports[account] = .writing(waiting: waiting + [continuation])
            return nil
        case .written(let time)? where now - time < exportInterval: return false
        default: break
        }
        if state.exports.count >= maximumAccountCount {
            state.exports = state.exports.filter { _, export in
                guard case .written(let time) = export else { return true }
                return now - time < exportInterval
            }
        }
        if state.exports.count < maximumAccountCount {
            state.exports[account] = .writing(waiting: [])
        }
        return true
    }
}
